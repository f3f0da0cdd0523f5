const field = document.getElementById('search')
const results = document.getElementById('results')
let entries = null
field.addEventListener('input', async () => {
  if (entries === null) entries = await (await fetch('search.json')).json()
  const wanted = field.value.trim().toLowerCase()
  results.replaceChildren()
  if (!wanted) return
  const matches = entries.filter(([label]) => label.toLowerCase().includes(wanted))
  const rank = ([label]) => label.toLowerCase().indexOf(wanted) * 1000 + label.length
  for (const [label, kind, path] of matches.sort((a, b) => rank(a) - rank(b)).slice(0, 50)) {
    const link = document.createElement('a')
    link.href = path
    link.textContent = label
    const item = document.createElement('li')
    item.append(link, ' (' + kind + ')')
    results.append(item)
  }
})
