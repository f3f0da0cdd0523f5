'use strict'
const types = require('./types.json')
const labels = require('./labels.json')

// What a label of a catalogue means, or null: a plain look-up in lower case.
function resolve (label) {
  const key = label.toLowerCase().split(/\s+/).filter(Boolean).join(' ')
  if (!Object.hasOwn(labels, key)) return null
  const [verdict, types, packages, confidence] = labels[key]
  return { verdict, types, packages, confidence }
}

module.exports = { types, labels, resolve }
