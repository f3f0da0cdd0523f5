"""Headers for servers: the real nginx and the real Apache send what was written for them."""

from __future__ import annotations

import csv
import json
import re
import shutil
import socket
import subprocess
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from processes import answers, wait_until
from rdflib import Graph

from cturi_rdf import ContentType
from cturi_rdf.catalogue.server_formats import (
    SERVER_FORMATS,
    File,
    ServerFormatError,
    host_of,
    path_of,
)
from cturi_rdf.rdf import headers

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
# The header of a folder is that of its index page; what stands beside it has its own.
FILES += [("/folder/", "text/html; charset=utf-8", None), ("/folder/index.csv", "text/csv", None)]
SITE = [File(path, ContentType.parse(header), coding) for path, header, coding in FILES]


def _port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _write_site(folder: Path, files: list[File]) -> None:
    for file in files:
        path = file.path + "index.html" if file.path.endswith("/") else file.path
        target = folder / path.removeprefix("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("content")


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_until(lambda: process.poll() is not None or answers(port))
            assert process.poll() is None, process.stderr and process.stderr.read()
            yield
        finally:
            process.terminate()


def _sent(port: int, path: str, host: str = "a.example") -> tuple[ContentType | None, str | None]:
    url = f"http://127.0.0.1:{port}{urllib.request.pathname2url(path)}"
    request = urllib.request.Request(url, method="HEAD", headers={"Host": host})
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        assert len(answer.headers.get_all("Content-Type", [])) <= 1
        header = answer.headers["Content-Type"]
        return header and ContentType.parse(header), answer.headers["Content-Encoding"]


NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error; {user}
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    {above}
    include {folder}/maps;
    charset koi8-r;
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
AddDefaultCharset koi8-r
DocumentRoot {folder}/site
<Directory />
    Require all granted
</Directory>
Include {folder}/sections
"""


@contextmanager
def _nginx(folder: Path, files: list[File]) -> Iterator[int]:
    """Give the port of an nginx that serves files by our configuration."""
    if not shutil.which("nginx"):
        pytest.skip("nginx is not installed")
    folder.chmod(0o755)
    lines = list(SERVER_FORMATS["nginx"](files))
    (folder / "maps").write_text("\n".join(lines))
    above, *location = (line.removeprefix("#") for line in lines if line.startswith("#     "))
    port = _port()
    text = NGINX.format(
        folder=folder,
        port=port,
        user="user root;" if _is_root() else "",
        above=above,
        location="".join(location),
    )
    (folder / "conf").write_text(text)
    with _running(["nginx", "-c", str(folder / "conf")], port):
        yield port


@contextmanager
def _apache(folder: Path, files: list[File]) -> Iterator[int]:
    """Give the port of an Apache that serves files by our configuration."""
    if not shutil.which("apache2"):
        pytest.skip("Apache is not installed")
    for each in (folder, *folder.parents[:3]):
        each.chmod(each.stat().st_mode | 0o055)
    (folder / "sections").write_text("\n".join(SERVER_FORMATS["apache"](files)))
    port = _port()
    modules = "\n".join(
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
        for name in ("mpm_event", "authz_core", "headers", "mime", "dir")
    )
    (folder / "conf").write_text(APACHE.format(folder=folder, port=port, modules=modules))
    with _running(["apache2", "-D", "FOREGROUND", "-f", str(folder / "conf")], port):
        yield port


SERVERS = {"nginx": _nginx, "apache": _apache}
# The same paths on two hosts, in other cases, and one that only one of them has.
HOSTS = [
    File("/data.csv", ContentType.parse("text/csv; charset=utf-8"), None, "a.example"),
    File("/data.csv", ContentType.parse("text/plain"), None, "b.example"),
    File("/Data.csv", ContentType.parse("text/csv; header=present"), None, "b.example"),
    File("/packed.csv.gz", ContentType.parse("text/csv"), "gzip", "b.example"),
    File("/folder/", ContentType.parse("application/xhtml+xml"), None, "b.example"),
]


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_sends_the_headers(server: str, tmp_path: Path) -> None:
    _write_site(tmp_path / "site", SITE)
    with SERVERS[server](tmp_path, SITE) as port:
        assert {file: _sent(port, file.path) for file in SITE} == {
            file: (file.content_type, file.content_encoding) for file in SITE
        }


@pytest.mark.parametrize("server", SERVERS)
def test_a_host_sends_its_own_headers_and_none_of_another(server: str, tmp_path: Path) -> None:
    _write_site(tmp_path / "site", HOSTS)
    with SERVERS[server](tmp_path, HOSTS) as port:
        for file in HOSTS:
            wanted = file.content_type, file.content_encoding
            for host in (file.host, f"{file.host.upper()}:{port}"):
                assert _sent(port, file.path, host) == wanted
        assert _sent(port, "/packed.csv.gz", "a.example") == (None, None)
        assert _sent(port, "/folder/", "c.example") == (None, None)


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
    assert (
        "2 files left out, such as ftp://a.example/a.csv: without a URL of http or https" in run.err
    )


@pytest.mark.parametrize(
    ("path", "compared"), [("", "/"), ("//a//b/", "/a/b/"), ("/a/./c/../b", "/a/b")]
)
def test_a_path_has_no_empty_segment_and_no_dot_segment(path: str, compared: str) -> None:
    assert path_of(f"http://a.example{path}") == compared


# What no configuration has, the format that cannot hold it, and what is said of it.
LEFT_OUT = [
    ("<files/a.csv>", "text/csv", "nginx", "not a URL of a web server"),
    ("<ftp://a.example/a.csv>", "text/csv", "apache", "without a URL of http or https"),
    ("<http://a.example/a#b>", "text/csv", "headers", "a part of a file, by a fragment"),
    ("<http://a.example/b*>", "text/csv", "headers", "a path with a wildcard of _headers"),
    ("<http://a.example/b>", "a/b; c=$d", "nginx", "a dollar sign in a value for nginx"),
    ("<http://a.example/b>", "a/b; c='${d}'", "apache", "a '${' in the configuration of Apache"),
    ("<http://b.example/b>", "text/csv", "nginx", "of another host"),
    ("<http://a.example/c?d=e>, <http://a.example/c>", "text/csv", "nginx", ""),
]


def test_a_resource_without_a_download_url_is_left_out_by_its_name(
    cturi: Cturi, write: Write
) -> None:
    text = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
        <http://a.example/1> dcat:accessURL <http://a.example/b> ; dcat:mediaType "text/csv" ."""
    run = cturi("headers", write("c.ttl", text), "--format", "headers")
    assert (run.code, run.out) == (0, "")
    assert "1 file left out, such as http://a.example/1: without a download URL" in run.err


@pytest.mark.parametrize(("urls", "header", "kind", "reason"), LEFT_OUT)
def test_a_file_that_a_format_cannot_hold_costs_that_file(
    cturi: Cturi, write: Write, urls: str, header: str, kind: str, reason: str
) -> None:
    header = header.replace("'", '\\"')
    text = f"""@prefix dcat: <http://www.w3.org/ns/dcat#> .
        <a:1> dcat:downloadURL {urls} ; dcat:mediaType "{header}" .
        <a:2> dcat:downloadURL <http://a.example/good> ; dcat:mediaType "text/markdown" ."""
    run = cturi("headers", write("c.ttl", text), "--format", kind, "--host", "a.example")
    assert run.code == 0
    assert "text/markdown" in run.out
    assert header not in run.out or not reason
    said = [line for line in run.err.splitlines() if "left out" in line]
    assert len(said) == bool(reason)
    assert all("1 file left out, such as " in line and line.endswith(reason) for line in said)


TWO_HEADERS = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
<a:1> dcat:downloadURL <http://a.example/q?f=csv> ; dcat:mediaType "text/csv" .
<a:2> dcat:downloadURL <http://a.example/q?f=json> ; dcat:mediaType "application/json" .
<a:3> dcat:downloadURL <http://b.example/q> ; dcat:mediaType "text/turtle" ."""


def test_one_path_with_two_headers_has_none(cturi: Cturi, write: Write, tmp_path: Path) -> None:
    out = tmp_path / "cturi.conf"
    run = cturi("headers", write("c.ttl", TWO_HEADERS), "--format", "apache", "-o", out)
    assert (run.code, run.out) == (0, "")
    assert "2 files left out, such as http://a.example/q?f=csv: one path with 2 headers" in run.err
    assert re.findall('ForceType "(.*)"', out.read_text()) == ["text/turtle"]


def test_a_headers_file_is_for_one_host(cturi: Cturi, write: Write, tmp_path: Path) -> None:
    out = tmp_path / "_headers"
    source = write("c.ttl", TWO_HEADERS.replace("?f=json", "2"))
    run = cturi("headers", source, "--format", "headers", "-o", out)
    assert (run.code, out.exists()) == (2, False)
    assert "2 hosts, 'a.example, b.example'" in run.err
    assert "--host" in run.err
    assert cturi("headers", source, "--host", "a.example").code == 2
    run = cturi("headers", source, "--format", "headers", "--host", "B.example")
    assert run.out == "/q\n  Content-Type: text/turtle\n"


def test_a_content_coding_is_sent_where_it_is_asked_for(cturi: Cturi, tmp_path: Path) -> None:
    source = tmp_path / "c.ttl"
    source.write_text(CATALOGUE)
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
        ("apache", File("/none.", CSV, "gzip"), "without an extension"),
        ("headers", File("/all/*.csv", CSV), "wildcard"),
        ("headers", File("/:name/a.csv", CSV), "wildcard"),
    ],
)
def test_what_a_format_cannot_hold_is_an_error(kind: str, file: File, problem: str) -> None:
    with pytest.raises(ServerFormatError) as caught:
        list(SERVER_FORMATS[kind]([file]))
    assert problem in caught.value.problem


def test_a_host_is_what_browsers_send_or_what_is_written() -> None:
    assert host_of("http://B\u00dcRO.example:80/a") == "xn--bro-hoa.example"
    # No name of a host has so long a part (RFC 1034 section 3.1).
    assert host_of(f"http://{'a' * 64}.example/") == f"{'a' * 64}.example"
    assert host_of("files/a.csv") == ""


@pytest.mark.parametrize(
    "url",
    [
        "files/a.csv",
        "ftp://a.example/a",
        "//a.example/a",
        "http:///a",
        "http://[a.example/a",
        "http://a.example/a%0Ab",
        "http://a.example/a#b",
    ],
)
def test_a_url_without_a_path_on_a_web_server_is_an_error(url: str) -> None:
    with pytest.raises(ServerFormatError):
        path_of(url)
