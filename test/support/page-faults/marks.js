// Which controls are looked at, and how many amounts are shown.
import { shown, texts } from './elements.js'

const CONTROLS = 'a[href], button, summary, input:not([type=hidden]), select, textarea, [tabindex="0"]'

/** Marks one control of each kind that is not among the known ones, and returns the new kinds. */
export const markControls = (knownKinds) => {
  const kinds = new Set(knownKinds)
  const added = []
  for (const element of shown(CONTROLS)) {
    const parents = [element.parentElement, element.parentElement?.parentElement].map((parent) => `${parent?.tagName}.${parent?.className}`)
    const kind = [`${element.tagName}.${element.className}:${element.type}:${element.getAttribute('aria-current')}`, ...parents].join(' < ')
    if (kinds.has(kind)) continue
    kinds.add(kind)
    added.push(kind)
    element.setAttribute('data-looked-at', '')
  }
  return added
}

export const amounts = (selector) =>
  [...texts()]
    .filter(([, parent]) => parent.closest(selector) !== null)
    .flatMap(([node]) => node.data.match(/\d[\d\u00a0\u202f]*[\u00a0\u202f]F[\u00a0\u202f]CFA/g) ?? []).length
