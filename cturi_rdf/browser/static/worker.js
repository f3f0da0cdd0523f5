// Runs the package in Pyodide.  Each message is a request for one command; the answer has its id.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import initialise, * as oxigraph from "./oxigraph/web.js";

const flat = (term) => {
  switch (term.termType) {
    case "NamedNode": return ["N", term.value];
    case "BlankNode": return ["B", term.value];
    case "DefaultGraph": return ["D"];
    case "Literal": return ["L", term.value, term.language, term.datatype.value, term.direction];
    default: return ["T", flat(term.subject), flat(term.predicate), flat(term.object)];
  }
};
const quads = (text) => {
  const store = new oxigraph.Store();
  store.load(text, { format: "application/n-quads", lenient: true, no_transaction: true });
  return store;
};
// What cturi_rdf.browser.oxigraph asks for; see there.
const engine = {
  parse(text, format, base, lenient) {
    const options = { format, lenient };
    if (base) options.base_iri = base;
    try {
      return JSON.stringify(oxigraph.parse(text, options)
        .map((quad) => [quad.subject, quad.predicate, quad.object, quad.graph].map(flat)));
    } catch (error) {
      return JSON.stringify(String(error.message ?? error));
    }
  },
  select(text, query) {
    try {
      const store = quads(text);
      const names = JSON.parse(store.query(query, { results_format: "json" })).head.vars;
      const rows = store.query(query)
        .map((row) => Object.fromEntries([...row].map(([name, term]) => [name, flat(term)])));
      return JSON.stringify([names, rows]);
    } catch (error) {
      return JSON.stringify(String(error.message ?? error));
    }
  },
  dump(text, format) {
    try {
      const options = { format };
      if (!/trig|n-quads|ld\+json/.test(format)) options.from_graph_name = oxigraph.defaultGraph();
      return "+" + quads(text).dump(options);
    } catch (error) {
      return "-" + String(error.message ?? error);
    }
  },
};

const tell = (done, what) => postMessage({ progress: { done, what } });

async function start() {
  postMessage({
    where: "Nothing leaves your browser. The Python code of the command cturi runs in this page.",
  });
  tell(0.05, "Loading Python");
  const files = fetch("./python.zip").then((answer) => answer.arrayBuffer());
  const [pyodide] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    initialise({ module_or_path: new URL("./oxigraph/web_bg.wasm", import.meta.url) }),
  ]);
  tell(0.7, "Unpacking cturi");
  pyodide.unpackArchive(await files, "zip", { extractDir: "/lib/cturi" });
  pyodide.runPython("import sys; sys.path.insert(0, '/lib/cturi')");
  const session = pyodide.pyimport("cturi_rdf.browser");
  session.start(engine);
  tell(0.85, "Starting cturi");
  session.run(JSON.stringify({ words: ["resolve", "csv"], files: {} }));
  return session;
}

const session = start();
session.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error.message ?? error) }),
);
onmessage = async ({ data: { id, words, files } }) => {
  try {
    const answer = (await session).run(JSON.stringify({ words, files }));
    postMessage({ id, answer: JSON.parse(answer) });
  } catch (error) {
    postMessage({ id, failed: String(error.message ?? error) });
  }
};
