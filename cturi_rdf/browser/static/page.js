// The page: it sends commands to the worker, and shows what they print.
const $ = (id) => document.getElementById(id);
const EXAMPLE = `@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix ex: <https://data.example.org/> .

# Stations, by day.
ex:stations a dcat:Distribution ;
    dct:format "CSV" ;
    dcat:mediaType "text/comma-separated-values" ;
    dcat:downloadURL <https://data.example.org/stations.csv> .

ex:borders a dcat:Distribution ;
    dct:format "zipped shape" ;
    dcat:downloadURL <https://data.example.org/borders.zip> .

ex:budget a dcat:Distribution ;
    dct:format "Excel" ;
    dcat:downloadURL <https://data.example.org/budget.xlsx> .
`;
const PROFILES = [["dcat-ap", "DCAT-AP"], ["dcat-ap-de", "DCAT-AP.de"], ["dcat-us", "DCAT-US"],
  ["pod", "Project Open Data"], ["dcat", "DCAT"], ["schema", "schema.org"],
  ["croissant-1.1", "Croissant 1.1"], ["ro-crate-1.2", "RO-Crate 1.2"]];

// How many places of a finding are buttons.
const PLACES = 10;

const worker = new Worker("./worker.js", { type: "module" });
const waiting = new Map();
let count = 0;
worker.onmessage = ({ data }) => {
  if (data.progress) {
    $("progress").value = data.progress.done;
    $("what").textContent = data.progress.what;
  } else if (data.where) {
    $("where").textContent = data.where;
  } else if (data.ready) {
    $("loading").hidden = true;
    document.body.dataset.ready = String(Math.round(performance.now()));
    for (const id of ["run", "resolve"]) $(id).disabled = false;
  } else if (data.id === undefined) {
    $("what").textContent = `cturi cannot be loaded: ${data.failed}`;
    $("progress").hidden = true;
  } else {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.answer) resolve(data.answer); else reject(new Error(data.failed));
  }
};
const cturi = (words, files = {}) => new Promise((resolve, reject) => {
  waiting.set(++count, { resolve, reject });
  worker.postMessage({ id: count, words, files });
});
// For tests, and for the console of the browser.
window.cturi = cturi;

const element = (name, text, className) => {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
};

function goTo(line, column) {
  const area = $("text");
  const lines = area.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  // A column counts characters, and JavaScript counts a rare one as two.
  const start = at + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
  area.focus();
  area.setSelectionRange(start, at + (lines[line - 1] ?? "").length);
  area.scrollTop = Math.max(0, (line - 5) * 1.4 * parseFloat(getComputedStyle(area).fontSize));
}

function showFindings(report) {
  $("findings").replaceChildren(...report.findings.map((finding) => {
    const item = element("li", "", finding.severity);
    const value = finding.value ? [element("code", finding.value), " "] : [];
    item.append(element("span", finding.severity, "level"), " ", ...value,
      element("span", finding.message));
    for (const place of finding.places.slice(0, PLACES)) {
      if (place.line === null || place.line === undefined) continue;
      const button = element("button", `line ${place.line}, column ${place.column}`);
      button.type = "button";
      button.onclick = () => goTo(place.line, place.column);
      item.append(" ", button);
    }
    if (finding.count > PLACES) item.append(` and ${finding.count - PLACES} more`);
    return item;
  }));
}

function showDiff(diff) {
  const kinds = { "+": "added", "-": "removed" };
  $("diff").replaceChildren(...(diff || "No line changes.").split("\n").map((line) =>
    element("span", line || " ", /^(\+\+\+|---) /.test(line) ? "same" : kinds[line[0]] ?? "same")));
}

function showHeaders(lines) {
  $("headers").replaceChildren(...lines.split("\n").filter(Boolean).map((line) => {
    const header = JSON.parse(line);
    const row = document.createElement("tr");
    const several = [["in conflict", header.conflicts], ["several", header.contains]]
      .filter(([, types]) => types?.length)
      .map(([what, types]) => `${what}: ${types.join(", ")}`);
    const type = header.content_type ?? several[0] ?? "not known";
    row.append(element("td", header.resource), element("td", type),
      element("td", header.confidence ?? ""));
    return row;
  }));
}

function offer(link, text, name) {
  link.hidden = !text;
  URL.revokeObjectURL(link.href);
  if (text) {
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = name;
  }
}

function refuse(problem) {
  $("summary").textContent = problem;
  $("findings").replaceChildren();
  $("parts").hidden = true;
  $("results").hidden = false;
}

async function check() {
  const encoding = /^\s*<\?xml[^>]*encoding=["']([^"']+)/.exec($("text").value)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(encoding)) {
    refuse(`This page takes UTF-8, and the XML says that it is ${encoding}.`);
    return;
  }
  const name = `catalogue.${$("syntax").value}`;
  const files = { [name]: $("text").value };
  const profile = $("profile").value ? ["--profile", $("profile").value] : [];
  const sure = $("likely").checked ? ["--min-confidence", "likely"] : [];
  $("run").disabled = true;
  $("run").textContent = "Checking …";
  $("results").hidden = false;
  try {
    const found = await cturi(["check", name, "--json", "-q", ...profile], files);
    if (found.code === 2) {
      refuse(found.err.replace(/^cturi: /, ""));
      return;
    }
    const report = JSON.parse(found.out);
    const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const counts = ["violation", "warning", "info"].map((noun) => plural(report[`${noun}s`], noun));
    const told = report.nothing_to_check.length ? "nothing to check" : counts.join(", ");
    $("summary").textContent = `${told}; ${report.profile}, ${report.profile_because}.`;
    showFindings(report);
    $("parts").hidden = false;
    const output = `repaired.${$("syntax").value}`;
    const repaired = await cturi(["repair", name, "-o", output, ...profile, ...sure], files);
    const diff = await cturi(["repair", name, "--diff", "-q", ...profile, ...sure], files);
    $("report").textContent = repaired.err;
    showDiff(diff.out);
    offer($("download"), repaired.files[output], output);
    offer($("patch"), diff.out, `${name}.patch`);
    showHeaders((await cturi(["headers", name, "--json", "-q"], files)).out);
    $("results").focus();
  } catch (error) {
    $("summary").textContent = `An error of this page: ${error.message}`;
  } finally {
    $("run").disabled = false;
    $("run").textContent = "Check";
  }
}

async function explain(event) {
  event.preventDefault();
  const { out, err } = await cturi(["resolve", "--json", "--", $("asked").value]);
  if (!out) {
    $("meaning").replaceChildren(element("dd", err));
    return;
  }
  const meaning = JSON.parse(out);
  const rows = [["Media types", meaning.types.join(", ") || "none"],
    ["Wrapped in", meaning.wrappers.join(", ")], ["Services", meaning.services.join(", ")],
    ["Confidence", meaning.confidence], ["Why", meaning.reason]].filter(([, text]) => text);
  for (const type of meaning.types) {
    rows.push(["URI", (await cturi(["uri", "--", type])).out.trim()]);
  }
  $("meaning").replaceChildren(
    ...rows.flatMap(([name, text]) => [element("dt", name), element("dd", text)]));
}

async function take(file) {
  try {
    const octets = await file.arrayBuffer();
    $("text").value = new TextDecoder("utf-8", { fatal: true }).decode(octets);
  } catch {
    refuse(`${file.name} is not UTF-8, which this page takes.`);
    return;
  }
  const ending = file.name.split(".").pop().toLowerCase();
  const endings = { xml: "rdf", owl: "rdf" };
  const syntax = endings[ending] ?? ending;
  if ([...$("syntax").options].some((option) => option.value === syntax)) $("syntax").value = syntax;
}

$("profile").append(...PROFILES.map(([value, text]) => new Option(text, value)));
$("profile").value = "dcat-ap";
$("text").value = EXAMPLE;
$("run").onclick = check;
$("ask").onsubmit = explain;
$("file").onchange = () => $("file").files[0] && take($("file").files[0]);
const area = $("text");
area.ondragover = (event) => { event.preventDefault(); area.classList.add("over"); };
area.ondragleave = () => area.classList.remove("over");
area.ondrop = (event) => {
  event.preventDefault();
  area.classList.remove("over");
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
};
