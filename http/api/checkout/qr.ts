// Renders QR codes as self-contained SVG. It must never know the meaning of a payload.
import { create } from 'qrcode'

/** Width of the white margin in modules (ISO/IEC 18004, section 6.3.8). */
const QUIET_ZONE = 4

/** Returns the SVG, black on white in every colour scheme: scanners need the contrast. One path draws all runs of modules. */
export function qrSvg(payload: string): string {
  const { size, data } = create(payload, { errorCorrectionLevel: 'M' }).modules
  let path = ''
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const from = column
      while (column < size && data[row * size + column] === 1) column++
      if (column > from) path += `M${from + QUIET_ZONE} ${row + QUIET_ZONE}h${column - from}v1h-${column - from}z`
    }
  }
  const side = size + 2 * QUIET_ZONE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
}
