"""The lexical spaces of XML Schema's datatypes: the texts that each allows."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import cache, lru_cache

XSD = "http://www.w3.org/2001/XMLSchema#"
# XML Schema 1.1 Part 2: the productions of appendix D and section 3.3.
_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_DATE = rf"{_YEAR}-{_MONTH}-{_DAY}"
_YEARS_MONTHS, _DAYS = r"(?:\d+Y)?(?:\d+M)?", r"(?:\d+D)?"
_CLOCK = r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
_SOME = r"P(?=\d|T\d)"
_DECIMAL = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_DOUBLE = rf"{_DECIMAL}(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_INTEGER = r"[+-]?\d+"
_NATURAL, _NEGATIVE = r"\+?\d+|-0+", r"-\d+|\+?0+"
# No bound has more digits, apart from leading zeros.
_BOUNDED = r"([+-]?)0*(\d{1,20})"
_FORMS = {
    "boolean": "true|false|1|0",
    "decimal": _DECIMAL,
    "double": _DOUBLE,
    "float": _DOUBLE,
    "date": rf"{_DATE}{_ZONE}?",
    "dateTime": rf"{_DATE}T{_TIME}{_ZONE}?",
    "dateTimeStamp": rf"{_DATE}T{_TIME}{_ZONE}",
    "time": rf"{_TIME}{_ZONE}?",
    "gYear": rf"{_YEAR}{_ZONE}?",
    "gYearMonth": rf"{_YEAR}-{_MONTH}{_ZONE}?",
    "gMonth": rf"--{_MONTH}{_ZONE}?",
    "gMonthDay": rf"--(?!02-3|(?:0[469]|11)-31){_MONTH}-{_DAY}{_ZONE}?",
    "gDay": rf"---{_DAY}{_ZONE}?",
    "duration": rf"-?{_SOME}{_YEARS_MONTHS}{_DAYS}{_CLOCK}",
    "yearMonthDuration": rf"-?{_SOME}{_YEARS_MONTHS}",
    "dayTimeDuration": rf"-?{_SOME}{_DAYS}{_CLOCK}",
    "integer": _INTEGER,
    "nonNegativeInteger": _NATURAL,
    "nonPositiveInteger": _NEGATIVE,
    "positiveInteger": r"\+?0*[1-9]\d*",
    "negativeInteger": r"-0*[1-9]\d*",
    "hexBinary": "(?:[0-9a-fA-F]{2})*",
}
# Section 3.4: the bits of the integers that have bounds.
_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_BOUNDS = {name: (-(1 << bits - 1), 1 << bits - 1) for name, bits in _BITS.items()} | {
    f"unsigned{name.title()}": (0, 1 << bits) for name, bits in _BITS.items()
}
_FORMS |= dict.fromkeys(_BOUNDS, _BOUNDED)
_DAY_OF_MONTH = re.compile(r"-?(\d+)-(\d\d)-(\d\d)")


@lru_cache(8_192)
def is_well_typed(text: str, datatype: str) -> bool:
    """Return whether a text is in the lexical space of a datatype, given by its IRI.

    Every text is accepted for a datatype other than XML Schema's numbers, truth values, dates,
    times and durations.

    >>> is_well_typed("2016-02-29", XSD + "date"), is_well_typed("R/P1W", XSD + "date")
    (True, False)
    """
    name = datatype.removeprefix(XSD)
    if name is datatype or name not in _FORMS:
        return True
    match = _pattern(name).fullmatch(text)
    if match is None:
        return False
    if name in _BOUNDS:
        low, end = _BOUNDS[name]
        return low <= int(match[1] + match[2]) < end
    date = _DAY_OF_MONTH.match(text)
    if date is None:
        return True

    # The calendar repeats itself every 400 years.
    return int(date[3]) <= monthrange(int(date[1][-4:]) % 400 + 400, int(date[2]))[1]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_FORMS[name], re.ASCII)
