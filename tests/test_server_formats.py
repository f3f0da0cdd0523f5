"""Headers for servers: the real nginx and the real Apache send what was written for them."""

from __future__ import annotations

import csv
import json
import shutil
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from rdflib import Graph

from cturi_rdf import ContentType
from cturi_rdf.rdf import headers
from cturi_rdf.rdf.server_formats import SERVER_FORMATS, File, ServerFormatError, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Cturi, Write

# Path, header, content coding.
FILES = [
    ("/plain.csv", "text/csv; charset=utf-8", None),
    ("/deep/er/data.csv.gz", "text/csv", "gzip"),
    ("/packed.zip", "application/zip", None),
    ("/with space.json", "application/json", None),
    ("/brackets[1](2)+{3}^.xml", "application/xml", None),
    ('/quo"te.txt', "text/plain", None),
    ("/back\\slash.txt", "text/plain", None),
    ("/dollar$uri.txt", "text/plain", None),
    ("/per%cent.txt", "text/plain", None),
    ("/Straße.geojson", "application/geo+json", None),
    ("/Case.txt", "text/plain", None),
    ("/case.txt", "text/markdown", None),
    ("/quoted.jsonld", 'application/ld+json; profile="http://a.example/x y"', None),
    ("/capitals.jsonld", 'application/ld+json; profile="http://a.example/X%20Y"', None),
    (f"/{'long' * 50}.csv", "text/csv; charset=US-ASCII", None),
    ("/escaped.csv", r'text/csv; null="\"\\"', None),
    ("/hash#and;semi.csv", "text/csv", None),
    ("/no-extension", "text/turtle", None),
]
SITE = [File(path, ContentType.parse(header), coding) for path, header, coding in FILES]


def _port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _write_site(folder: Path) -> None:
    for file in SITE:
        target = folder / file.path.removeprefix("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("content")


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            for _ in range(100):
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, process.stderr and process.stderr.read()
                time.sleep(0.05)
            yield
        finally:
            process.terminate()


def _sent(port: int, path: str) -> tuple[ContentType, str | None]:
    url = f"http://127.0.0.1:{port}{urllib.request.pathname2url(path)}"
    request = urllib.request.Request(url, method="HEAD")
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        assert len(answer.headers.get_all("Content-Type")) == 1
        return ContentType.parse(answer.headers["Content-Type"]), answer.headers["Content-Encoding"]


NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error; {user}
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    {above}
    include {folder}/maps;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/site;
        {location}
    }}
}}
"""
APACHE = """
ServerRoot {folder}
ServerName localhost
PidFile {folder}/pid
ErrorLog {folder}/error
Listen 127.0.0.1:{port}
{modules}
User www-data
Group www-data
TypesConfig /dev/null
DocumentRoot {folder}/site
<Directory />
    Require all granted
</Directory>
Include {folder}/sections
"""


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_sends_the_headers(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    _write_site(tmp_path / "site")
    lines = list(SERVER_FORMATS["nginx"](SITE))
    (tmp_path / "maps").write_text("\n".join(lines))
    above, *location = (line.removeprefix("#") for line in lines if line.startswith("#     "))
    port = _port()
    text = NGINX.format(
        folder=tmp_path,
        port=port,
        user="user root;" if _is_root() else "",
        above=above,
        location="".join(location),
    )
    (tmp_path / "conf").write_text(text)
    with _running(["nginx", "-c", str(tmp_path / "conf")], port):
        assert {file: _sent(port, file.path) for file in SITE} == {
            file: (file.content_type, file.content_encoding) for file in SITE
        }


@pytest.mark.skipif(not shutil.which("apache2"), reason="Apache is not installed")
def test_apache_sends_the_headers(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    _write_site(tmp_path / "site")
    (tmp_path / "sections").write_text("\n".join(SERVER_FORMATS["apache"](SITE)))
    port = _port()
    modules = "\n".join(
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
        for name in ("mpm_event", "authz_core", "headers", "mime")
    )
    text = APACHE.format(folder=tmp_path, port=port, modules=modules)
    (tmp_path / "conf").write_text(text)
    with _running(["apache2", "-D", "FOREGROUND", "-f", str(tmp_path / "conf")], port):
        assert {file: _sent(port, file.path) for file in SITE} == {
            file: (file.content_type, file.content_encoding) for file in SITE
        }


def _is_root() -> bool:
    import os

    return os.getuid() == 0


def test_a_static_host_reads_a_path_and_indented_headers() -> None:
    lines = list(SERVER_FORMATS["headers"](SITE[:2]))
    plain = ["/plain.csv", "  Content-Type: text/csv; charset=utf-8"]
    packed = ["/deep/er/data.csv.gz", "  Content-Type: text/csv", "  Content-Encoding: gzip"]
    assert lines == [*plain, *packed]


CATALOGUE = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix ex: <https://data.example/> .
ex:zipped dcat:downloadURL <https://data.example/b.zip> ; dct:format "Zipped CSV" .
ex:packed dcat:downloadURL <https://data.example/c.csv.gz> ; dcat:mediaType "text/csv" ;
    dcat:compressFormat <https://www.iana.org/assignments/media-types/application/gzip> .
ex:disputed dct:format "XLSX" ; dcat:mediaType "application/vnd.ms-excel" .
ex:several dct:format "CSV, JSON" ; dcat:downloadURL <https://data.example/f.json> .
ex:misnamed dct:format "CSV" ; dcat:downloadURL <https://data.example/g.xlsx> .
ex:formula dct:format "CSV" ; dcat:downloadURL <=1+1> .
"""


def test_every_table_has_the_same_headers(cturi: Cturi, write: Write) -> None:
    source = write("c.ttl", CATALOGUE)
    lines = cturi("headers", source).out.splitlines()
    objects = [json.loads(line) for line in cturi("headers", source, "--json").out.splitlines()]
    rows = list(csv.DictReader(cturi("headers", source, "--format", "csv").out.splitlines()))
    assert [
        f"{each['resource']}\t{each['content_type']}" for each in objects if each["content_type"]
    ] == lines
    assert [each["content_type"] or "" for each in objects] == [r["content_type"] for r in rows]
    verdicts = {row["resource"].rpartition("/")[2]: row["verdict"] for row in rows}
    ones = dict.fromkeys(("zipped", "packed", "misnamed", "formula"), "one")
    assert verdicts == {**ones, "disputed": "conflict", "several": "several"}
    assert next(row["url"] for row in rows if row["resource"].endswith("formula")) == "'=1+1"


def test_conflicts_and_several_types_are_counted_apart(cturi: Cturi, write: Write) -> None:
    source = write("c.ttl", CATALOGUE)
    remarks = cturi("headers", source).err
    assert "1 resource with labels that disagree" in remarks
    assert "1 resource of several types, such as https://data.example/several" in remarks


BROKEN = """@prefix ctv: <https://w3id.org/cturi/vocab#> .
@prefix dct: <http://purl.org/dc/terms/> .
<https://data.example/a> ctv:contentType <ContentType:text/csv;header=present> .
<https://data.example/b> ctv:contentType "lorem ipsum" .
<https://data.example/c> dct:format "CSV" ; ctv:compression <ContentType:nothing> .
"""


@pytest.mark.parametrize("form", ["tsv", "csv", "json", "nginx"])
def test_a_link_that_leads_to_no_content_type_is_counted_and_shown(
    cturi: Cturi, write: Write, form: str
) -> None:
    source = write("c.ttl", BROKEN)
    run = cturi("headers", source, "--format", form)
    assert (
        "2 resources with a link to no content type, such as"
        " ContentType:text/csv;header=present of https://data.example/a"
    ) in run.err


def test_a_link_that_leads_to_no_content_type_takes_nothing_from_the_labels(
    cturi: Cturi, write: Write
) -> None:
    source = write("c.ttl", BROKEN)
    of_file = map(json.loads, cturi("headers", source, "--json").out.splitlines())
    of_graph = headers(Graph().parse(source))
    expected = {
        "a": ("none", ["ContentType:text/csv;header=present"]),
        "b": ("none", ["lorem ipsum"]),
        "c": ("one", ["ContentType:nothing"]),
    }
    assert {str(one["resource"])[-1]: (one["verdict"], one["broken"]) for one in of_file} == (
        expected
    )
    assert {str(one.resource)[-1]: (one.verdict, one.broken) for one in of_graph} == expected
    assert cturi("headers", source).out == "https://data.example/c\ttext/csv\n"


def test_the_name_in_the_url_chooses_among_several_types_and_is_held_against_one(
    cturi: Cturi, write: Write
) -> None:
    source = write("c.ttl", CATALOGUE)
    run = cturi("headers", source, "--by-url")
    assert "https://data.example/several\tapplication/json" in run.out.splitlines()
    assert "https://data.example/misnamed\ttext/csv" in run.out.splitlines()
    assert "https://data.example/misnamed: text/csv, but the name in" in run.err


SEVERAL_URLS = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
<http://a.example/1> dct:format "CSV" ;
    dcat:downloadURL <http://a.example/b.csv>, <ftp://a.example/a.csv>, <http://a.example/c.xlsx> .
<http://a.example/2> dct:format "CSV, JSON" ;
    dcat:downloadURL <http://a.example/d.csv>, <http://a.example/d.json> .
<http://a.example/3> dct:format "CSV" ; dcat:downloadURL <ftp://a.example/e.csv> .
"""


def test_each_url_of_a_web_server_has_the_header_of_its_resource(
    cturi: Cturi, write: Write
) -> None:
    run = cturi("headers", write("c.ttl", SEVERAL_URLS), "--format", "headers", "--by-url")
    header = "  Content-Type: text/csv"
    assert run.out.splitlines() == ["/b.csv", header, "/c.xlsx", header]
    assert "text/csv, but the name in http://a.example/c.xlsx says application/vnd.open" in run.err
    assert "1 resource of several types, such as http://a.example/2\n" in run.err
    assert "1 resource without a URL of http or https, left out" in run.err


@pytest.mark.parametrize(
    ("path", "compared"), [("", "/"), ("//a//b/", "/a/b/"), ("/a/./c/../b", "/a/b")]
)
def test_a_path_has_no_empty_segment_and_no_dot_segment(path: str, compared: str) -> None:
    assert path_of(f"http://a.example{path}") == compared


def test_a_relative_url_has_no_path_on_a_server(cturi: Cturi, write: Write) -> None:
    source = write("c.ttl", CATALOGUE)
    run = cturi("headers", source, "--format", "nginx")
    assert (run.code, run.out) == (2, "")
    assert "=1+1" in run.err


@pytest.mark.parametrize(("kind", "last"), [("apache", "a/b; c='${d}'"), ("nginx", "a/b; c=$d")])
def test_a_configuration_is_printed_whole_or_not_at_all(
    cturi: Cturi, write: Write, kind: str, last: str
) -> None:
    text = "@prefix dcat: <http://www.w3.org/ns/dcat#> .\n" + "".join(
        f'<a:{n}> dcat:downloadURL <http://a.example/{n}> ; dcat:mediaType "{header}" .\n'
        for n, header in enumerate(["text/csv", last.replace("'", '\\"')])
    )
    run = cturi("headers", write("c.ttl", text), "--format", kind)
    assert (run.code, run.out) == (2, "")


def test_a_content_coding_is_sent_where_it_is_asked_for(cturi: Cturi, tmp_path: Path) -> None:
    source = tmp_path / "c.ttl"
    lines = [line for line in CATALOGUE.splitlines() if "ex:formula" not in line]
    source.write_text("\n".join(lines))
    plain = cturi("headers", source, "--format", "headers").out
    coded = cturi("headers", source, "--format", "headers", "--content-encoding").out
    assert "/c.csv.gz\n  Content-Type: application/gzip\n" in plain
    assert "/c.csv.gz\n  Content-Type: text/csv\n  Content-Encoding: gzip\n" in coded


CSV = ContentType.parse("text/csv")


@pytest.mark.parametrize(
    ("kind", "file", "problem"),
    [
        ("nginx", File("/a", ContentType.parse("application/vnd.$x")), "dollar sign"),
        ("apache", File("/a", ContentType.parse('a/b; c="${HOME}"')), "'${'"),
        ("apache", File("/no-extension", CSV, "gzip"), "without an extension"),
        ("headers", File("/all/*.csv", CSV), "wildcard"),
        ("headers", File("/:name/a.csv", CSV), "wildcard"),
    ],
)
def test_what_a_format_cannot_hold_is_an_error(kind: str, file: File, problem: str) -> None:
    with pytest.raises(ServerFormatError) as caught:
        list(SERVER_FORMATS[kind]([file]))
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    "url",
    ["files/a.csv", "//a.example/a", "http:///a", "http://[a.example/a", "http://a.example/a%0Ab"],
)
def test_a_url_without_a_path_on_a_web_server_is_an_error(url: str) -> None:
    with pytest.raises(ServerFormatError):
        path_of(url)
