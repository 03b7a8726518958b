// The QR code of a checkout in a terminal: two modules of a column in each character, dark on light.

const VIEW_BOX = /viewBox="0 0 (\d{1,3}) \1"/
const RUN = /M(\d+) (\d+)h(\d+)v1h-\d+z/g
const COLOURS = '\x1b[38;5;16;48;5;231m'
const PLAIN = '\x1b[0m'

/** Returns the lines of the code, its quiet zone included; null for an SVG of another form. */
export function qrLines(svg: string, hasColours: boolean): string[] | null {
  const side = Number(VIEW_BOX.exec(svg)?.[1] ?? 0)
  if (side === 0) return null
  const dark = new Set<number>()
  for (const [, x, y, width] of svg.matchAll(RUN)) {
    for (let column = 0; column < Number(width); column++) dark.add(Number(y) * side + Number(x) + column)
  }
  const lines: string[] = []
  for (let row = 0; row < side; row += 2) {
    let line = ''
    for (let column = 0; column < side; column++) {
      line += block(dark.has(row * side + column), row + 1 < side && dark.has((row + 1) * side + column))
    }
    lines.push(hasColours ? `${COLOURS}${line}${PLAIN}` : line)
  }
  return lines
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀'
  return lower ? '▄' : ' '
}
