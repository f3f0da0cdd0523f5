// The editor of queries, with completion of the terms of the vocabulary and of the functions.
const terms = fetch('terms.json').then((answer) => answer.json())

async function hints(editor) {
  const { line, ch } = editor.getCursor()
  const [name] = /[\w:-]*$/.exec(editor.getLine(line).slice(0, ch))
  const list = (await terms)
    .filter((term) => term.name.toLowerCase().startsWith(name.toLowerCase()))
    .map((term) => ({ text: term.name, displayText: `${term.shown}  ${term.meaning}` }))
  return { list, from: { line, ch: ch - name.length }, to: { line, ch } }
}

const editor = CodeMirror.fromTextArea(document.getElementById('query'), {
  mode: 'application/sparql-query',
  lineWrapping: true,
  matchBrackets: true,
  viewportMargin: Infinity,
  screenReaderLabel: document.querySelector('label[for=query]').textContent,
  hintOptions: { hint: hints, completeSingle: false },
  // The key leads to the button, as in any form.
  extraKeys: { 'Ctrl-Space': 'autocomplete', Tab: false, 'Shift-Tab': false },
})
editor.on('inputRead', () => {
  const { line, ch } = editor.getCursor()
  if (/\bct[vf]:[\w-]*$/.test(editor.getLine(line).slice(0, ch))) editor.showHint()
})
