// Texts without contrast, on the screen and printed.
import { colourOf, forgetGrounds, groundOf, luminance, over, ratio } from './colours.js'
import { nameOf, shown, texts } from './elements.js'

/** Text within controls, or all text. */
export const contrastFaults = (selector) => {
  forgetGrounds()
  const faults = []
  for (const [, parent] of texts()) {
    if (selector !== null && parent.closest(selector) === null) continue
    if (parent.closest('[aria-disabled=true], :disabled') !== null) continue
    const style = getComputedStyle(parent)
    const ground = groundOf(parent)
    const found = ratio(over(colourOf(style.color), ground), ground)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (found < (isLarge ? 3 : 4.5)) faults.push(`${nameOf(parent)} has a contrast of ${found.toFixed(2)}`)
  }
  return faults
}

/** For `print`: no menu, no button, dark on white. */
export const printFaults = () => {
  forgetGrounds()
  const faults = shown('nav:not(main nav), button, .button, .dock, .side, .switch').map((element) => `${nameOf(element)} is printed`)
  for (const [, parent] of texts()) {
    const ground = groundOf(parent)
    if (luminance(ground) < 0.9) faults.push(`${nameOf(parent)} is printed on a dark ground`)
    else if (ratio(over(colourOf(getComputedStyle(parent).color), ground), ground) < 4.5)
      faults.push(`${nameOf(parent)} is printed too pale`)
  }
  return faults
}
