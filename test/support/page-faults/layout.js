// What is wider than the window or clipped, and words that are broken.
import { nameOf, scrolls, shown, texts } from './elements.js'

export const widthFaults = () => {
  const faults = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`)
  for (const element of shown('body *')) {
    const { left, right } = element.getBoundingClientRect()
    if ((right > innerWidth + 1 || left < -1) && !scrolls(element)) faults.push(`${nameOf(element)} stands outside the window`)
    const { overflowX, textOverflow } = getComputedStyle(element)
    const isClipped = element.tagName !== 'INPUT' && /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1
    if (isClipped && textOverflow !== 'ellipsis') faults.push(`${nameOf(element)} is clipped`)
  }
  return faults
}

/** Words of letters up to 20, and amounts, stay on one line. */
export const wordFaults = () => {
  const faults = []
  for (const [node, parent] of texts()) {
    if (parent.closest('pre, code, textarea, .source') !== null) continue
    for (const { 0: word, index } of node.data.matchAll(
      /\p{L}{2,20}(?![\p{L}\p{N}_@.\-/:])|[-−]?\d[\d\u00a0\u202f]*[\u00a0\u202f]F[\u00a0\u202f]CFA/gu,
    )) {
      if (index > 0 && /[\p{L}\p{N}_@.\-/:]/u.test(node.data[index - 1])) continue
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
      if (lines.size > 1) faults.push(`"${word}" of ${nameOf(parent)} is broken`)
    }
  }
  return faults
}
