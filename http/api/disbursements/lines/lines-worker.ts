// Thread that reads the lines of large disbursements, one body at a time.
import { parentPort } from 'node:worker_threads'
import type { Currency } from '../../../../engine/kernel/currency.ts'
import { parseJson } from '../../../server/body/json-body.ts'
import { fingerprintOf } from '../../../server/fingerprint.ts'
import { DISBURSEMENT_VALUES_MAX } from '../../../server/server-limits.ts'
import { DISBURSEMENT_FILES, linesOfItems } from '../disbursement-files.ts'
import { DISBURSEMENT_LINES_PER_BLOCK } from './lines-limits.ts'
import { packed } from './packed-lines.ts'

export interface LinesJob {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly currency: Currency
  readonly method: string
  readonly target: string
}

/** The body without its lines, and these in blocks; or the bytes of a body that has a fault, which is not named here. */
export type LinesResult =
  | { readonly rest: object; readonly count: number; readonly blocks: readonly Uint8Array[]; readonly fingerprint: string }
  | { readonly bytes: Uint8Array }

parentPort?.on('message', (job: LinesJob) => {
  const result = read(job)
  const moved = 'blocks' in result ? result.blocks.map(({ buffer }) => buffer as ArrayBuffer) : [result.bytes.buffer as ArrayBuffer]
  parentPort?.postMessage(result, moved)
})

function read({ mediaType, bytes, currency, method, target }: LinesJob): LinesResult {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const value = readBody(mediaType, body, currency)
  if (value === null) return { bytes }
  const { items, ...rest } = value
  const source = linesOfItems(items, currency)
  const blocks: Uint8Array[] = []
  for (let lines = source(DISBURSEMENT_LINES_PER_BLOCK); lines.length > 0; lines = source(DISBURSEMENT_LINES_PER_BLOCK))
    blocks.push(packed(lines))
  return { rest, count: items.length, blocks, fingerprint: fingerprintOf(method, target, body) }
}

interface WithItems {
  readonly items: readonly unknown[]
}

function readBody(mediaType: string, body: Buffer, currency: Currency): WithItems | null {
  const file = DISBURSEMENT_FILES[mediaType]
  const value = file === undefined ? parseJson(body, DISBURSEMENT_VALUES_MAX) : last(file.read(body, currency))
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items) ? (value as WithItems) : null
}

function last(steps: Generator<undefined, unknown>): unknown {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
