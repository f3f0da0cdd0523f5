"""What a profile says of a value, in the languages of our messages besides English.

The English message has the reading of the label as well, which is English everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.catalogue.checked import SENTENCES
from cturi_rdf.catalogue.verdict import short_name, written

if TYPE_CHECKING:
    import pyoxigraph as ox

    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.catalogue.verdict import Verdict


_LANGUAGES = ("de", "fr", "es")
# The forms of `PropertyRule.write`, as the objects of the sentences below.
_FORMS = {
    "iana-https": ("eine IRI der IANA", "un IRI de l'IANA", "un IRI de la IANA"),
    "eu-file-type": (
        "einen Dateityp der EU",
        "un type de fichier de l'UE",
        "un tipo de archivo de la UE",
    ),
    "media-type": (
        "einen Medientyp als Text",
        "un type de média en texte",
        "un tipo de medio en texto",
    ),
    "name": ("einen Namen als Text", "un nom en texte", "un nombre en texto"),
}
_OR = ("oder", "ou", "o")
_LEAVE_OUT = ("Es ist wegzulassen.", "Il faut l'omettre.", "Hay que omitirlo.")
# The sentence for each `Verdict.rule`; the first one also for a rule that has none.
_REASONS = {
    "form": ("{title} verlangt {form}.", "{title} demande {form}.", "{title} pide {form}."),
    "node": (
        "Hier steht ein namenloser Knoten; {title} verlangt {form}.",
        "Il y a ici un nœud anonyme ; {title} demande {form}.",
        "Aquí hay un nodo anónimo; {title} pide {form}.",
    ),
    "duplicate": (
        "Dasselbe steht schon da.",
        "La même chose est déjà indiquée.",
        "Lo mismo ya está indicado.",
    ),
    "details": (
        "Das Format steht schon da, aber diese Angabe sagt mehr.",
        "Le format est déjà indiqué, mais ce libellé en dit plus.",
        "El formato ya está indicado, pero esta etiqueta dice más.",
    ),
    "placeholder": (
        "Das ist ein Platzhalter, kein Format.",
        "C'est un texte de remplacement, pas un format.",
        "Es un texto provisional, no un formato.",
    ),
    "by URL": (
        "So sagt es der Dateiname in der URL.",
        "Le nom du fichier dans l'URL le dit.",
        "Lo dice el nombre del archivo en la URL.",
    ),
    "service": (
        "Das ist ein Dienst oder ein Protokoll, kein Format.",
        "C'est un service ou un protocole, pas un format.",
        "Es un servicio o un protocolo, no un formato.",
    ),
    "several": (
        "Das sind mehrere Formate; für jedes ist eine eigene Distribution zu beschreiben.",
        "Il y a plusieurs formats ; il faut décrire une distribution pour chacun.",
        "Hay varios formatos; hay que describir una distribución para cada uno.",
    ),
    "conflict": (
        "Andere Angaben zu derselben Datei widersprechen dem.",
        "D'autres indications sur le même fichier disent le contraire.",
        "Otros datos sobre el mismo archivo dicen lo contrario.",
    ),
    "missing": (
        "{title} verlangt {property}: {form}.",
        "{title} demande {property} : {form}.",
        "{title} pide {property}: {form}.",
    ),
    "likely": (
        "Wahrscheinlich ist {value} gemeint; {title} verlangt {form}.",
        "C'est probablement {value} ; {title} demande {form}.",
        "Probablemente es {value}; {title} pide {form}.",
    ),
    "no value": (
        "{title} verlangt {form}, und für dieses Format gibt es das nicht.",
        "{title} demande {form}, ce qui n'existe pas pour ce format.",
        "{title} pide {form}, que no existe para este formato.",
    ),
    "no place": (
        "Ein Teil der Angabe hat dort keinen Platz.",
        "Une partie du libellé n'y a pas de place.",
        "Una parte de la etiqueta no tiene lugar allí.",
    ),
    "nothing": (
        "Darin ist kein Format zu erkennen; {title} verlangt {form}.",
        "On n'y reconnaît aucun format ; {title} demande {form}.",
        "No se reconoce ningún formato; {title} pide {form}.",
    ),
    "no_type": (
        "Dieses Format hat keinen Medientyp; {title} verlangt {form}.",
        "Ce format n'a pas de type de média ; {title} demande {form}.",
        "Este formato no tiene tipo de medio; {title} pide {form}.",
    ),
    "typing": (
        "{title} verlangt, dass die Daten sagen, was ihre Werte sind.",
        "{title} demande que les données disent ce que sont leurs valeurs.",
        "{title} pide que los datos digan qué son sus valores.",
    ),
    "no rule": (
        "{title} sagt nichts über {property} an einer solchen Ressource.",
        "{title} ne dit rien de {property} sur une telle ressource.",
        "{title} no dice nada de {property} en un recurso así.",
    ),
    "validator": (
        "{title} lässt es zu, {validator} nicht.",
        "{title} l'accepte, {validator} non.",
        "{title} lo acepta, {validator} no.",
    ),
}


def in_other_languages(
    profile: Profile,
    rule: str,
    *,
    verdict: Verdict | None = None,
    path: ox.NamedNode | None = None,
    write: str | None = None,
) -> dict[str, str]:
    """Return the message of a finding by language: what to write, if that is known, and why.

    `rule` is that of the verdict; a finding about the whole file has none, and one about a
    property of which the profile says nothing has its `path` alone.
    """
    asks = verdict.asks if verdict else None
    path = asks.property if asks else path
    messages = {}
    for number, language in enumerate(_LANGUAGES):
        forms = [_FORMS[form][number] for form in (asks.write if asks else ()) if form in _FORMS]
        reason = _REASONS.get(rule, _REASONS["form"])[number].format(
            title=profile.title,
            form=f" {_OR[number]} ".join(forms),
            property=short_name(path) if path else "",
            value=written(verdict.value[1]) if verdict and verdict.value else "",
            validator=asks.refused_by[0] if asks and asks.refused_by else "",
        )
        advice = ""
        if write is not None:
            advice = SENTENCES[language][0].format(write) if write else _LEAVE_OUT[number]
        messages[language] = f"{advice} {reason}".strip()
    return messages
