// The CSV file that a command is given: a path, or `-` for standard input. It is read once, because a pipe has no second reading.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { PAYMENT_FILE_BYTES_MAX } from '../client-limits.ts'
import { COLUMNS, type NamedColumn } from '../payment-file/file-columns.ts'
import { isCallingCode } from '../payment-file/file-recipient.ts'
import { isUnreadable, type PaymentLine, readPaymentFile } from '../payment-file/payment-file.ts'
import { fileProblemText, lineProblemText } from '../payment-file/payment-file-text.ts'
import type { BatchLine } from '../types.ts'
import { CommandError, UsageError } from './command-errors.ts'
import { shown } from './output.ts'

export interface PlacedLine {
  /** Line of the file that it begins at, as an editor counts. */
  readonly at: number
  /** Row of the file, as a spreadsheet counts. */
  readonly row: number
  readonly line: BatchLine
}

export interface GivenFile {
  readonly lines: readonly PlacedLine[]
  readonly unreadable: readonly { readonly at: number; readonly problem: string }[]
  /** Lines whose phone got a calling code or a `+`. */
  readonly completed: readonly (PlacedLine & { readonly typed: string })[]
  /** The columns as they were read, in words. */
  readonly columns: string
  readonly balance: AccountBalance
  /** The same for the same bytes. */
  readonly runId: string
}

interface AccountBalance {
  readonly available: number
  readonly currency: string
}

export interface FileReading {
  /** Calling code of phones without `+`. */
  readonly country: string | undefined
  /** The account's, asked for once the file is there: its currency says how amounts are read. */
  readonly balance: () => Promise<AccountBalance>
  readonly stdin: AsyncIterable<unknown>
}

/** Throws a UsageError for a file that cannot be opened, and a CommandError for one that cannot be read. */
export async function readGivenFile(path: string, { country, balance: asked, stdin }: FileReading): Promise<GivenFile> {
  const callingCode = country?.replace(/^\+/, '') ?? null
  if (callingCode !== null && !isCallingCode(callingCode)) throw new UsageError('--country is a calling code, such as 221')
  const bytes = await bytesOf(path, isStandardInput(path) ? stdin : createReadStream(path))
  const balance = await asked()
  const file = readPaymentFile(bytes, { currency: balance.currency, callingCode, needsNames: true })
  if (isUnreadable(file)) throw new CommandError(shown(fileProblemText(file.problem, 'en')))
  const hash = createHash('sha256').update(bytes).digest('hex')
  return {
    lines: file.lines.flatMap((line) => placed(line) ?? []),
    unreadable: file.lines.flatMap(({ line, problem }) =>
      problem === null ? [] : [{ at: line, problem: shown(lineProblemText(problem, 'en')) }],
    ),
    completed: file.lines.flatMap((line) => {
      const paid = line.isCompleted ? placed(line) : null
      return paid === null ? [] : [{ ...paid, typed: line.typed.recipient }]
    }),
    columns: columnsText(file.columns),
    balance,
    runId: `file-${hash.slice(0, 32)}`,
  }
}

function placed({ line: at, row, recipient, amount, reference, note, problem }: PaymentLine): PlacedLine | null {
  if (problem !== null || amount === null) return null
  return { at, row, line: { recipient, amount, ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) } }
}

/** `recipient in A "Téléphone", amount in B "Montant"`. */
function columnsText(columns: readonly NamedColumn[]): string {
  const texts = COLUMNS.flatMap((column) => {
    const named = columns.find((one) => one.column === column)
    return named === undefined ? [] : [`${column} in ${named.letter} "${shown(named.name)}"`]
  })
  return texts.join(', ')
}

/** The stream of the process is taken for its path too: a socket cannot be opened by a path. */
function isStandardInput(path: string): boolean {
  return path === '-' || path === '/dev/stdin'
}

async function bytesOf(path: string, stream: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > PAYMENT_FILE_BYTES_MAX) throw new UsageError(`${path} has more than ${PAYMENT_FILE_BYTES_MAX / 1024 / 1024} MiB: split it`)
      chunks.push(chunk)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') throw new UsageError(`${path} cannot be read (${code})`)
    throw error
  }
  return Buffer.concat(chunks)
}
