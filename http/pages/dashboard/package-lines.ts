// Packages of a product as lines of text and back: `name;amount;id`, the id only of those that have one. What would be
// read as something else stands in quotes, a doubled quote being one, so that every package comes back as it was.
import type { Product } from '../../../engine/contract/biller-product.ts'
import { amountOf } from './typed.ts'

export function packageLines(packages: Product['packages']): string {
  return packages.map(({ id, label, amount }) => `${cellText(label)};${amount};${cellText(id)}`).join('\n')
}

function cellText(value: string): string {
  return /[;"\r\n]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value
}

export function packagesOf(lines: string): object[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => packageOf(cellsOf(line)))
}

/** From the right: a semicolon too many belongs to the name. */
function packageOf(cells: readonly string[]): object {
  const amountAt = Math.max(1, cells.length - 2)
  const label = cells.slice(0, amountAt).join(';')
  const id = cells[amountAt + 1] ?? ''
  return { label, amount: amountOf(cells[amountAt] ?? ''), ...(id === '' ? {} : { id }) }
}

/** One cell, in quotes or not, after its semicolon. */
const CELL = /;(?:\s*"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))/g

function cellsOf(line: string): string[] {
  return [...`;${line}`.matchAll(CELL)].map(([, quoted, bare = '']) => (quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"')))
}
