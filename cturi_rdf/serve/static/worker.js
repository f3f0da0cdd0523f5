// In the place of the worker that runs Python in the browser: the commands of the page, asked from
// the JSON API of this server.  Each message is a request for one command; the answer has its id.
const API = new URL("../api/", import.meta.url);

async function ask(path, parameters, body) {
  const url = new URL(path, API);
  url.search = new URLSearchParams(parameters);
  const answer = await fetch(url, body === undefined ? {} : { method: "POST", body });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.detail);
  return content;
}

// The parameters of the API that the options of a command stand for.
function parameters(words, name) {
  const asked = { name };
  for (const option of ["profile", "min-confidence"]) {
    const at = words.indexOf(`--${option}`);
    if (at >= 0) asked[option] = words[at + 1];
  }
  return asked;
}

async function run([command, ...words], files) {
  const last = words.at(-1);
  if (command === "resolve") {
    const { resolutions: [meaning] } = await ask("resolve", { label: last });
    return { code: 0, out: JSON.stringify(meaning), err: "", files: {} };
  }
  if (command === "uri") {
    return { code: 0, out: (await ask("uri", { header: last })).uri, err: "", files: {} };
  }
  const [name] = words;
  const given = await ask(command, parameters(words, name), files[name]);
  if (command === "check") {
    return { code: given.conforms ? 0 : 1, out: JSON.stringify(given), err: "", files: {} };
  }
  if (command === "headers") {
    const lines = given.headers.map((header) => JSON.stringify(header));
    return { code: 0, out: lines.join("\n"), err: "", files: {} };
  }
  const at = words.indexOf("-o");
  const written = at < 0 ? {} : { [words[at + 1]]: given.text };
  return { code: 0, out: given.patch, err: given.summary.join("\n"), files: written };
}

onmessage = async ({ data: { id, words, files } }) => {
  try {
    postMessage({ id, answer: await run(words, files) });
  } catch (error) {
    postMessage({ id, answer: { code: 2, out: "", err: error.message, files: {} } });
  }
};
postMessage({ where: "The text is sent to this server, which does not store it." });
postMessage({ ready: true });
