// Takes the lines of a new disbursement in blocks: each is read and judged in a turn of its own, so that 100 000 lines hold no other
// account up. The last block submits the creation under the key of the request. Judging stores the blocks, so no line is judged for a
// replay: neither for a key with a result, nor for a request that is being judged already.

import { type CommandOf, DISBURSEMENT_LINES_PER_TURN, type EngineApi, type IdempotencyKey } from '../../../engine/api.ts'
import type { BatchLine } from '../../../engine/contract/batch-line.ts'
import { SeenLines } from '../../../engine/contract/duplicate-lines.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { Quotas } from '../../../engine/kernel/quota.ts'
import { AccountQuota } from '../../server/account-quota.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { fairWork } from '../../server/fair-work.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'
import { DISBURSEMENT_LINES } from '../../server/server-limits.ts'

type Chunks = CommandOf<'CreateDisbursement'>['chunks']
type Chunk = Chunks[number]

/** Returns up to so many lines more; none behind the last one. */
export type LinesSource = (count: number) => readonly BatchLine[]

type IntakeCall = Pick<Call<unknown, unknown, MerchantPrincipal>, 'ask' | 'refuse' | 'answerAs' | 'fail' | 'principal' | 'idempotency'>

/** The lines of a request, and what follows when all of them are judged. */
export interface Intake {
  readonly call: IntakeCall
  /** Number of lines that the request holds in memory; 0 for a group without contacts. */
  readonly held: number
  readonly source: LinesSource
  readonly submit: (chunks: Chunks) => void
}

export interface IntakeParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly quotas: Quotas
}

/** What fair-work.ts counts for the reading of one block. */
const BLOCK_COST = 20

export class DisbursementIntake {
  readonly #parts: IntakeParts
  readonly #held: AccountQuota
  /** Keys whose lines are being judged, with the same requests that came meanwhile. */
  readonly #waiting = new Map<string, Intake[]>()

  /** The engine is there when the first request comes. */
  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.#held = new AccountQuota(parts.quotas, DISBURSEMENT_LINES, parts)
  }

  /** Calls `submit` with all blocks, or answers why the lines are not taken. */
  take(intake: Intake): void {
    const { call, held, submit } = intake
    const { account } = call.principal
    const { idempotency } = call
    // The turn answers from the key and reads no block.
    if (idempotency !== null && this.#parts.engine.query('results.known', idempotency) !== null) return submit([])
    if (held === 0) return call.refuse('items_required', 'group', because('empty_group'))
    if (!this.#held.take(account, held)) return this.#held.refuse(call)
    const name = nameOf(idempotency)
    const waiting = name === null ? undefined : this.#waiting.get(name)
    if (waiting !== undefined) {
      waiting.push(intake)
      return
    }
    if (name !== null) this.#waiting.set(name, [])
    judge(intake, (chunks) => this.#end(intake, name, chunks))
  }

  /** `chunks` null: the request was answered, so the next of the same key is judged in its place. */
  #end(intake: Intake, name: string | null, chunks: Chunks | null): void {
    const waiting = (name === null ? undefined : this.#waiting.get(name)) ?? []
    if (name !== null) this.#waiting.delete(name)
    const all = [intake, ...waiting]
    for (const { call, held } of all) this.#held.giveBack(call.principal.account, held)
    for (const one of all) {
      try {
        if (chunks !== null) one.submit(chunks)
        else if (one !== intake) this.take(one)
      } catch (error) {
        one.call.fail(error)
      }
    }
  }
}

/** Requests of the same name have the same key and the same lines. */
function nameOf(idempotency: IdempotencyKey | null): string | null {
  return idempotency === null ? null : JSON.stringify([idempotency.scope, idempotency.key, idempotency.fingerprint])
}

/** Judges all lines, and calls `over` with their blocks; with null where it has answered. */
function judge({ call, source }: Intake, over: (chunks: Chunks | null) => void): void {
  const { account } = call.principal
  const chunks: Chunk[] = []
  const seen = new SeenLines()
  const next = (): void => fairWork.add(account, BLOCK_COST, block)
  const block = (): void => {
    try {
      const lines = source(DISBURSEMENT_LINES_PER_TURN)
      if (lines.length === 0) return over(chunks)
      const duplicates = lines.flatMap((line, index) => (seen.hasOrAdd(line) ? [index] : []))
      const isSent = call.ask({ type: 'JudgeDisbursementLines', merchant: account, lines, duplicates }, account, (outcome) => {
        if (isSuccess(outcome.kind)) {
          chunks.push(JSON.parse(outcome.body) as Chunk)
          return next()
        }
        answerRefusal(call, outcome, outcome.retryAfterS)
        over(null)
      })
      if (!isSent) over(null)
    } catch (error) {
      call.fail(error)
      over(null)
    }
  }
  next()
}
