// Packages of a product as lines of text and back: `name;amount;id`, the id only of those that have one.
import type { Product } from '../../../engine/contract/biller-product.ts'
import { cellsOf, cellText, linesOf } from './cells.ts'
import { amountOf } from './typed.ts'

export function packageLines(packages: Product['packages']): string {
  return packages.map(({ id, label, amount }) => `${cellText(label)};${amount};${cellText(id)}`).join('\n')
}

export interface TypedPackage {
  readonly label: string
  /** Text where it is no amount. */
  readonly amount: number | string
  readonly id?: string
}

export function packagesOf(lines: string): TypedPackage[] {
  return linesOf(lines).map((line) => packageOf(cellsOf(line)))
}

/** From the right: a semicolon too many belongs to the name. */
function packageOf(cells: readonly string[]): TypedPackage {
  const amountAt = Math.max(1, cells.length - 2)
  const label = cells.slice(0, amountAt).join(';')
  const id = cells[amountAt + 1] ?? ''
  return { label, amount: amountOf(cells[amountAt] ?? ''), ...(id === '' ? {} : { id }) }
}
