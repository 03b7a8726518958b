// Lines of cells that are held apart by semicolons, as people type them and as they are shown again. What would be read as
// something else stands in quotes, a doubled quote being one, so that every cell comes back as it was.

export function cellText(value: string): string {
  return /[;"\r\n]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value
}

/** One cell, in quotes or not, after its semicolon. */
const CELL = /;(?:\s*"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))/g

export function cellsOf(line: string): string[] {
  return [...`;${line}`.matchAll(CELL)].map(([, quoted, bare = '']) => (quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"')))
}

/** The lines that hold anything. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}
