// Converts packages of a product to lines of text and back: `name;amount;id`. The id is optional.
import type { Product } from '../../../../engine/contract/biller-product.ts'
import { amountInput } from '../../shared/amount-text.ts'
import { amountOf } from '../shared/typed-text.ts'
import { cellsOf, cellText, idFrom, linesOf } from './form-rows.ts'

export function packageLines(packages: Product['packages'], currency: string): string {
  return packages.map(({ id, label, amount }) => `${cellText(label)};${amountInput(amount, currency)};${cellText(id)}`).join('\n')
}

export interface TypedPackage {
  readonly label: string
  /** The typed text when it is no amount. */
  readonly amount: number | string
  readonly id?: string
}

export function packagesOf(lines: string, currency: string): TypedPackage[] {
  return linesOf(lines).map((line) => packageOf(cellsOf(line), currency))
}

/** Returns the packages for the API. One without an id gets an id that is derived from its name. */
export function packagesSent(lines: string, currency: string): TypedPackage[] {
  const typed = packagesOf(lines, currency)
  const taken = new Set(typed.flatMap(({ id = '' }) => (id === '' ? [] : [id])))
  return typed.map((one) => (one.id !== undefined || one.label === '' ? one : { ...one, id: idFrom(one.label, taken, 'formule') }))
}

/** Parses from the right: an extra semicolon belongs to the name. */
function packageOf(cells: readonly string[], currency: string): TypedPackage {
  const amountAt = Math.max(1, cells.length - 2)
  const label = cells.slice(0, amountAt).join(';')
  const id = cells[amountAt + 1] ?? ''
  return { label, amount: amountOf(cells[amountAt] ?? '', currency), ...(id === '' ? {} : { id }) }
}
