// The suggestions for a label on the first page.
const field = document.getElementById('q')
const list = document.getElementById('suggestions')
let waiting = 0
field.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    const prefix = field.value.trim()
    if (!prefix) { list.replaceChildren(); return }
    const answer = await fetch('reconcile/suggest/entity?prefix=' + encodeURIComponent(prefix))
    if (!answer.ok) return
    const { result } = await answer.json()
    list.replaceChildren(...result.map(({ id, description }) => {
      const option = document.createElement('option')
      option.value = id
      option.label = description
      return option
    }))
  }, 150)
})
