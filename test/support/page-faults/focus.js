// Controls whose focus is not seen.
import { colourOf, groundOf, ratio } from './colours.js'
import { nameOf, shown } from './elements.js'

/** With `:focus-visible` forced on every control: the ring has a contrast of 3 to its ground and no ancestor clips it. */
export const ringFaults = () => shown('[data-looked-at]').flatMap((element) => ringFault(element) ?? [])

const ringFault = (element) => {
  const after = getComputedStyle(element, '::after')
  const own = getComputedStyle(element)
  const isAfter = own.outlineStyle === 'none' && after.outlineStyle !== 'none'
  const ring = isAfter ? after : own
  if (ring.outlineStyle === 'none' || Number.parseFloat(ring.outlineWidth) < 2) return `${nameOf(element)} shows no focus`
  const reach = Number.parseFloat(ring.outlineWidth) + Number.parseFloat(ring.outlineOffset)
  const ground = groundOf(reach <= 0 ? element : element.parentElement)
  if (ratio(colourOf(ring.outlineColor), ground) < 3) return `${nameOf(element)} shows its focus without contrast`
  return clips(element, isAfter ? 0 : Math.max(0, reach)) ? `${nameOf(element)} has a clipped focus ring` : null
}

const clips = (element, margin) => {
  const box = element.getBoundingClientRect()
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    if (!/hidden|clip/.test(getComputedStyle(at).overflow)) continue
    const edge = at.getBoundingClientRect()
    if (
      box.left - margin < edge.left - 1 ||
      box.right + margin > edge.right + 1 ||
      box.top - margin < edge.top - 1 ||
      box.bottom + margin > edge.bottom + 1
    )
      return true
  }
  return false
}
