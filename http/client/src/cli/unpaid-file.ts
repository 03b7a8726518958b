// The CSV file of `batch upload --unpaid`: the failed lines of a run, ready to be corrected and uploaded alone.
import { appendFileSync, realpathSync, writeFileSync } from 'node:fs'
import { writtenAmount } from '../payment-file/file-amount.ts'
import { paymentFileText, rowText } from '../payment-file/payment-file-text.ts'
import type { BatchLine } from '../types.ts'
import { UsageError } from './command-errors.ts'

export class UnpaidFile {
  readonly path: string
  readonly #currency: string

  private constructor(path: string, currency: string) {
    this.path = path
    this.#currency = currency
  }

  /** Empties the file. Throws a UsageError for the uploaded file itself, and where it cannot be written. */
  static open(path: string, uploaded: string, currency: string): UnpaidFile {
    if (realPath(path) === realPath(uploaded)) throw new UsageError('--unpaid must name another file than the one that is uploaded')
    try {
      writeFileSync(path, `${paymentFileText([], 'en')}\n`)
    } catch (error) {
      throw new UsageError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
    }
    return new UnpaidFile(path, currency)
  }

  add(lines: readonly BatchLine[]): void {
    if (lines.length > 0) appendFileSync(this.path, lines.map((line) => `${rowOf(line, this.#currency)}\n`).join(''))
  }
}

/** Returns null for a file that there is not. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function rowOf({ recipient, amount, reference = '', note = '' }: BatchLine, currency: string): string {
  return rowText({ recipient, amount: writtenAmount(amount, currency, 'en'), reference, note })
}
