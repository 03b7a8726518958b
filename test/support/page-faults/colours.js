// Colours of the page as they are drawn, and their contrast.

const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
const known = new Map()
export const colourOf = (text) => {
  if (!known.has(text)) {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = text
    canvas.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data
    known.set(text, { channels: [red, green, blue], alpha: alpha / 255 })
  }
  return known.get(text)
}

export const over = (top, below, alpha = top.alpha) => ({
  channels: top.channels.map((value, index) => value * alpha + below.channels[index] * (1 - alpha)),
  alpha: 1,
})

/** Colours of the grounds, for as long as the page does not change. */
const grounds = new Map()

export const forgetGrounds = () => grounds.clear()

export const groundOf = (element) => {
  if (element === null) return colourOf(getComputedStyle(document.documentElement).colorScheme.startsWith('dark') ? '#121212' : '#fff')
  const before = grounds.get(element)
  if (before !== undefined) return before
  const own = colourOf(getComputedStyle(element).backgroundColor)
  const ground = own.alpha > 0.99 ? own : over(own, groundOf(element.parentElement))
  grounds.set(element, ground)
  return ground
}

export const luminance = ({ channels }) => {
  const [red, green, blue] = channels.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, contrast ratio. */
export const ratio = (one, other) => {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}
