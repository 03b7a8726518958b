// One disbursement over HTTP as a caller makes it: the file is sent, started, and looked at until its last line is paid.
import { setTimeout as sleep } from 'node:timers/promises'
import { type MerchantKeys, PAYOUT, walletTag } from './population.ts'

export const DISBURSEMENT_LINES = 100_000

/** Interval at which the caller looks. It is the error of `paidMs`. */
const LOOK_MS = 10

export type DisbursementFormat = 'json' | 'csv'

export interface DisbursementBody {
  readonly contentType: string
  readonly text: string
}

export interface DisbursementTimes {
  /** From the first byte of the request to the whole answer: taken, checked and stored. */
  readonly takenMs: number
  /** From the request to start to the last payment, as the caller sees it. */
  readonly paidMs: number
}

/** Each line pays another wallet. */
export function disbursementBody(format: DisbursementFormat, lines: number): DisbursementBody {
  const rows = Array.from({ length: lines }, (_, index) => ({ recipient: `@${walletTag(index)}`, amount: PAYOUT.amount }))
  if (format === 'json') return { contentType: 'application/json', text: JSON.stringify({ items: rows }) }
  const texts = rows.map(({ recipient, amount }) => `${recipient};${amount}`)
  return { contentType: 'text/csv', text: ['recipient;amount', ...texts].join('\n') }
}

interface Counters {
  readonly id: string
  readonly state: string
  readonly valid_count: number
  readonly paid_count: number
}

/** Throws where a line is not valid or not paid. */
export async function runDisbursement(
  port: number,
  { publicKey, secretKey }: MerchantKeys,
  { contentType, text }: DisbursementBody,
  lines: number = DISBURSEMENT_LINES,
): Promise<DisbursementTimes> {
  const base = `http://127.0.0.1:${port}/v1/biz/disbursements`
  const keys = { 'x-api-key': publicKey, 'x-api-secret': secretKey }
  const ask = async (path: string, init: RequestInit = {}): Promise<Counters> => {
    const answer = await fetch(base + path, { ...init, headers: { ...keys, ...(init.headers as Record<string, string> | undefined) } })
    const body = await answer.text()
    if (!answer.ok) throw new Error(`a disbursement was answered ${answer.status}: ${body.slice(0, 200)}`)
    return JSON.parse(body) as Counters
  }
  const sentMs = performance.now()
  const headers = { 'content-type': contentType, 'idempotency-key': crypto.randomUUID() }
  const { id, valid_count } = await ask('', { method: 'POST', headers, body: text })
  const takenMs = performance.now() - sentMs
  if (valid_count !== lines) throw new Error(`${valid_count} of ${lines} lines are valid`)
  const startMs = performance.now()
  let seen = await ask(`/${id}/start`, { method: 'POST' })
  while (seen.state === 'running') {
    await sleep(LOOK_MS)
    seen = await ask(`/${id}`)
  }
  const paidMs = performance.now() - startMs
  if (seen.state !== 'completed' || seen.paid_count !== lines) throw new Error(`it is ${seen.state}, ${seen.paid_count} lines are paid`)
  return { takenMs, paidMs }
}
