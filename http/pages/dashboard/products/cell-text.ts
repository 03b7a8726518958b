// Reads and writes lines of cells, separated by semicolons. A cell with special characters is quoted, and a doubled quote is
// one quote, so that every cell survives a round trip.

export function cellText(value: string): string {
  return /[;"\r\n]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value
}

/** Matches one cell after its semicolon, quoted or not. */
const CELL = /;(?:\s*"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))/g

export function cellsOf(line: string): string[] {
  return [...`;${line}`.matchAll(CELL)].map(([, quoted, bare = '']) => (quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"')))
}

/** Returns the lines that are not empty. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
