// Elements and texts that a reader of the page sees, and how a fault names them.

export const nameOf = (element) => {
  const text = (element.textContent || element.getAttribute('name') || '').trim().replaceAll(/\s+/g, ' ').slice(0, 30)
  const classes =
    typeof element.className === 'string' && element.className !== '' ? `.${element.className.trim().replaceAll(/\s+/g, '.')}` : ''
  return `${element.tagName.toLowerCase()}${classes} "${text}"`
}

const isShown = (element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0

/** For assistive technology alone. */
const isUnseen = (element) =>
  element.closest('.unseen, .skip, .data thead, .docs thead') !== null &&
  getComputedStyle(element.closest('.unseen, .skip, .data thead, .docs thead')).position === 'absolute'

export const scrolls = (element) => {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true
  return false
}

export const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => isShown(element) && !isUnseen(element))

export function* texts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (
      node.data.trim() !== '' &&
      !/^(?:SCRIPT|STYLE|NOSCRIPT|OPTION|DATALIST|TEXTAREA)$/.test(parent.tagName) &&
      isShown(parent) &&
      !isUnseen(parent)
    )
      yield [node, parent]
  }
}
