# Removes the formats of services, which have no file: cturi edit FILE --update drop-formats.ru
PREFIX dct: <http://purl.org/dc/terms/>
DELETE { ?service dct:format ?format }
WHERE { ?service dct:format ?format FILTER(?format IN ("WMS", "API", "SPARQL endpoint")) }
