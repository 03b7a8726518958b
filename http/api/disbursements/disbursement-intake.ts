// Takes the lines of a new disbursement in blocks: each is read and judged in a turn of its own, so that 100 000 lines hold no other
// account up. The last block submits the creation under the key of the request.
import { type AccountNumber, type CommandOf, DISBURSEMENT_LINES_PER_TURN } from '../../../engine/api.ts'
import type { BatchLine } from '../../../engine/contract/batch-line.ts'
import { SeenLines } from '../../../engine/contract/duplicate-lines.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { fairWork } from '../../server/fair-work.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'
import { DISBURSEMENTS_TAKEN_MAX, DISBURSEMENTS_TAKEN_PER_ACCOUNT_MAX } from '../../server/server-limits.ts'
import { Admission } from '../../workers/lookups/admission.ts'

type Chunks = CommandOf<'CreateDisbursement'>['chunks']
type Chunk = Chunks[number]

/** Returns up to so many lines more; none behind the last one. */
export type LinesSource = (count: number) => readonly BatchLine[]

type IntakeCall = Pick<Call<unknown, unknown, MerchantPrincipal>, 'ask' | 'refuse' | 'answerAs' | 'fail' | 'principal'>

/** What fair-work.ts counts for the reading of one block. */
const BLOCK_COST = 20

export class DisbursementIntake {
  readonly #running = new Admission<AccountNumber>(DISBURSEMENTS_TAKEN_MAX, DISBURSEMENTS_TAKEN_PER_ACCOUNT_MAX)

  /** Calls `submit` with all blocks, or answers why the lines are not taken. */
  take(call: IntakeCall, source: LinesSource, submit: (chunks: Chunks) => void): void {
    const { account } = call.principal
    if (!this.#running.take(account)) return call.refuse('rate_limited')
    const chunks: Chunk[] = []
    const seen = new SeenLines()
    const over = (): void => this.#running.giveBack(account)
    const next = (): void => fairWork.add(account, BLOCK_COST, block)
    const block = (): void => {
      try {
        const lines = source(DISBURSEMENT_LINES_PER_TURN)
        if (lines.length === 0) {
          over()
          return submit(chunks)
        }
        const duplicates = lines.flatMap((line, index) => (seen.hasOrAdd(line) ? [index] : []))
        const isSent = call.ask({ type: 'JudgeDisbursementLines', merchant: account, lines, duplicates }, account, (outcome) => {
          if (isSuccess(outcome.kind)) {
            chunks.push(JSON.parse(outcome.body) as Chunk)
            return next()
          }
          over()
          answerRefusal(call, outcome, outcome.retryAfterS)
        })
        if (!isSent) over()
      } catch (error) {
        over()
        call.fail(error)
      }
    }
    next()
  }
}
