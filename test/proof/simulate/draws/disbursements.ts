// Requests about disbursements, and turns that a client asks for at the time of their timer.

import { duplicateLines } from '../../../../engine/contract/duplicate-lines.ts'
import type { CommandType } from '../../../../engine/domain/command.ts'
import type { DisbursementChunk } from '../../../../engine/domain/disbursement/disbursement-judge-decide.ts'
import { readBatchLines } from '../../../support/batch-lines.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { DisbursementState, ModelDisbursement } from '../models/disbursement-rows.ts'
import type { Models } from '../models.ts'
import { amount, caller, merchantAccount, minutes, recipient, text } from './pick.ts'

/** Lines of one judgment. */
const WHOLE = 512

function lines(models: Models, drawing: Drawing, merchant: number) {
  const { prng } = drawing
  const of = models.accounts.account(merchant).environment
  const isGuessed = prng.chance(0.1)
  const count = prng.chance(0.1) ? WHOLE : 1 + prng.below(6)
  const isBroken = prng.chance(0.03)
  const item = () => ({
    recipient:
      isBroken || prng.chance(0.03)
        ? prng.pick(['', 'é', 7])
        : isGuessed
          ? `guess_${prng.below(1_000_000)}`
          : recipient(models, drawing, of),
    amount: prng.chance(0.03) ? prng.pick([0, -5, '3']) : prng.chance(0.1) ? amount(drawing) : 1 + prng.below(300),
    reference: text(drawing),
    note: text(drawing),
  })
  return readBatchLines(Array.from({ length: count }, item))
}

/** Blocks of the account that were judged: whole ones, and one more. */
function blocks({ disbursements }: Models, { prng }: Drawing, merchant: number): readonly DisbursementChunk[] | null {
  const own = disbursements.blocks.filter(({ account }) => account === merchant)
  const last = recent(prng, own)
  const whole = own.find(({ chunk }) => chunk.total_count === WHOLE)
  if (last === undefined) return null
  return whole !== undefined && prng.chance(0.5) ? [whole.chunk, whole.chunk, last.chunk] : [last.chunk]
}

function lineOf(text: string) {
  const [recipient, sum] = text.split(' ')
  return { recipient, amount: Number(sum) }
}

function disbursementOf({ disbursements }: Models, { prng }: Drawing, fits: (one: ModelDisbursement) => boolean) {
  const all = [...disbursements.disbursements.values()]
  const fitting = prng.chance(0.85) ? all.filter(fits) : []
  return recent(prng, fitting.length > 0 ? fitting : all)
}

function about(models: Models, drawing: Drawing, { account, id }: ModelDisbursement) {
  const { prng } = drawing
  const merchant = prng.chance(0.97) ? account : (merchantAccount(models, drawing) ?? account)
  return { merchant, id: prng.chance(0.02) ? 'ghost' : id, by: caller(models, drawing, account) }
}

const STATES: Readonly<Record<string, readonly DisbursementState[]>> = {
  start: ['ready'],
  approve: ['awaiting_approval'],
  reject: ['awaiting_approval'],
  pause: ['running'],
  resume: ['paused'],
  cancel: ['ready', 'awaiting_approval', 'scheduled', 'running', 'paused'],
}

const inStatesOf =
  (verb: string) =>
  ({ state }: ModelDisbursement): boolean =>
    STATES[verb]?.includes(state) === true

function isRetriable({ state, failed, isRetried }: ModelDisbursement): boolean {
  return (state === 'completed' || state === 'cancelled') && failed.count > 0 && !isRetried
}

export const disbursementDraws = (models: Models) =>
  ({
    CreateDisbursement: (drawing) => {
      const { prng, nowMs } = drawing
      const all = models.disbursements.blocks
      const ruled = new Set(models.payoutRules.withPolicy)
      const merchant = recent(prng, prng.chance(0.4) && ruled.size > 0 ? all.filter(({ account }) => ruled.has(account)) : all)?.account
      if (merchant === undefined) return null
      const chunks = blocks(models, drawing, merchant)
      if (chunks === null) return null
      const startAtMs = prng.chance(0.6) ? null : prng.chance(0.2) ? nowMs - 1000 : minutes(drawing, 30)
      return {
        type: 'CreateDisbursement',
        merchant,
        chunks,
        reference: text(drawing),
        start: prng.chance(0.6) ? 'auto' : 'manual',
        startAtMs,
        onInsufficientBalance: prng.chance(0.5) ? 'pause' : 'fail',
        // A key that is gone leaves everyone else as a second person.
        by: prng.chance(0.4) ? { kind: 'key', id: 'ghost', name: 'Paie' } : caller(models, drawing, merchant),
      }
    },
    ReleaseDisbursement: (drawing) => {
      const verb = drawing.prng.pick(['start', 'approve', 'approve', 'reject', 'reject'] as const)
      const found = disbursementOf(models, drawing, inStatesOf(verb))
      if (found === undefined) return null
      const reason = verb === 'reject' && drawing.prng.chance(0.9) ? { reason: 'Non.' } : {}
      return { type: 'ReleaseDisbursement', ...about(models, drawing, found), verb, ...reason }
    },
    MoveDisbursement: (drawing) => {
      const verb = drawing.prng.pick(['pause', 'pause', 'resume', 'resume', 'cancel'] as const)
      const isRunning = ({ state }: ModelDisbursement): boolean => state === 'running'
      const found = disbursementOf(models, drawing, verb === 'cancel' && drawing.prng.chance(0.6) ? isRunning : inStatesOf(verb))
      return found === undefined ? null : { type: 'MoveDisbursement', ...about(models, drawing, found), verb }
    },
    RetryDisbursement: (drawing) => {
      const found = disbursementOf(models, drawing, isRetriable)
      if (found === undefined) return null
      const { account, failed } = found
      const fitting = models.disbursements.blocks.findLast((one) => one.account === account && one.chunk.total_count === failed.count)
      const chunks = fitting === undefined ? blocks(models, drawing, account) : [fitting.chunk]
      return chunks === null ? null : { type: 'RetryDisbursement', ...about(models, drawing, found), chunks }
    },
    JudgeDisbursementLines: (drawing) => {
      const { prng } = drawing
      const failed = prng.chance(0.3) ? disbursementOf(models, drawing, isRetriable) : undefined
      const again = failed !== undefined && isRetriable(failed) ? readBatchLines(failed.failedLines.map(lineOf)).slice(0, WHOLE) : null
      const ruled = prng.chance(0.4) ? recent(prng, models.payoutRules.withPolicy) : undefined
      const merchant = (again === null ? ruled : failed?.account) ?? merchantAccount(models, drawing)
      if (merchant === undefined) return null
      const some = again ?? lines(models, drawing, merchant)
      return { type: 'JudgeDisbursementLines', merchant, lines: some, duplicates: duplicateLines(some) }
    },
    AdvanceDisbursement: (drawing) => {
      const found = disbursementOf(models, drawing, ({ dueMs }) => dueMs !== null)
      if (found === undefined) return null
      const { merchant, id } = about(models, drawing, found)
      return { type: 'AdvanceDisbursement', merchant, id, dueMs: drawing.prng.chance(0.03) ? 0 : (found.dueMs ?? drawing.nowMs) }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
