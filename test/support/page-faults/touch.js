// Controls that are too small for a finger.
import { nameOf, shown } from './elements.js'

/** Links within a sentence may be as high as its line (WCAG 2.5.8). */
const isInSentence = (element) => {
  if (element.tagName !== 'A' || getComputedStyle(element).display !== 'inline') return false
  const block = element.closest('p, li, dd, td, figcaption, label')
  return block !== null && block.textContent.trim().length > element.textContent.trim().length
}

const targetOf = (element) => (/^(?:checkbox|radio)$/.test(element.type) ? (element.closest('label') ?? element) : element)

/** The link of a card is as high as its row. */
const heightOf = (element) => {
  const after = getComputedStyle(element, '::after')
  if (after.position === 'absolute' && after.content !== 'none') return Number.parseFloat(after.height)
  return targetOf(element).getBoundingClientRect().height
}

export const touchFaults = () => {
  const faults = []
  for (const element of shown('a[href], button, summary, input:not([type=hidden]), select, textarea')) {
    if (!isInSentence(element) && getComputedStyle(element).pointerEvents !== 'none' && heightOf(element) < 43.5)
      faults.push(`${nameOf(element)} is ${Math.round(heightOf(element))} px high`)
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName) && !/checkbox|radio/.test(element.type) && size < 16)
      faults.push(`${nameOf(element)} has a font of ${size} px: the browser zooms in`)
  }
  return faults
}
