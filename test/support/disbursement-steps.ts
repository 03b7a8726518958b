// Disbursements in an engine without HTTP, in short words.
import assert from 'node:assert/strict'
import type { QueryAnswer } from '../../engine/api.ts'
import type { BatchLine } from '../../engine/contract/batch-line.ts'
import { duplicateLines } from '../../engine/contract/duplicate-lines.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { CreateDisbursement } from '../../engine/domain/disbursement/disbursement-create-decide.ts'
import type { DisbursementChunk } from '../../engine/domain/disbursement/disbursement-judge-decide.ts'
import { JUDGED_PER_TURN } from '../../engine/domain/disbursement/disbursement-limits.ts'
import type { Disbursement } from '../../engine/domain/disbursement/disbursement-state.ts'
import type { EngineFixture } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export class DisbursementSteps {
  readonly maker = { kind: 'key', id: '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f', name: 'Paie' } as const
  readonly #fixture: EngineFixture
  readonly #merchant: number

  constructor(fixture: EngineFixture, merchant: number) {
    this.#fixture = fixture
    this.#merchant = merchant
  }

  create({ lines, ...more }: { readonly lines: readonly BatchLine[] } & Partial<CreateDisbursement>): Disbursement {
    const standard = { reference: 'PAIE', start: 'manual', startAtMs: null, onInsufficientBalance: 'pause', by: this.maker } as const
    return this.#answer({ type: 'CreateDisbursement', merchant: this.#merchant, ...standard, ...more, chunks: this.judged(lines) }, 201)
  }

  move(id: string, verb: 'pause' | 'resume' | 'cancel', status = 200): Disbursement {
    return this.#answer({ type: 'MoveDisbursement', merchant: this.#merchant, id, verb, by: this.maker }, status)
  }

  start(id: string, status = 200): Disbursement {
    return this.#answer({ type: 'ReleaseDisbursement', merchant: this.#merchant, id, verb: 'start', by: this.maker }, status)
  }

  retry(id: string, status = 201): Disbursement {
    const about = { account: this.#merchant, id }
    const failed: BatchLine[] = []
    for (let from: number | null = 0; from !== null; ) {
      const read: QueryAnswer<'disbursements.failedLines'> = this.#fixture.engine.query('disbursements.failedLines', { ...about, from })
      failed.push(...(read?.lines ?? []))
      from = read?.next ?? null
    }
    return this.#answer({ type: 'RetryDisbursement', merchant: this.#merchant, id, by: this.maker, chunks: this.judged(failed) }, status)
  }

  /** Block by block, as HTTP does it. */
  judged(lines: readonly BatchLine[]): DisbursementChunk[] {
    const duplicates = new Set(duplicateLines(lines))
    const chunks: DisbursementChunk[] = []
    for (let at = 0; at < lines.length; at += JUDGED_PER_TURN) {
      const some = lines.slice(at, at + JUDGED_PER_TURN)
      const repeated = some.flatMap((_line, index) => (duplicates.has(at + index) ? [index] : []))
      const outcome = this.#fixture.do({ type: 'JudgeDisbursementLines', merchant: this.#merchant, lines: some, duplicates: repeated })
      assert.equal(outcomeStatus(outcome), 200, outcome.body)
      chunks.push(JSON.parse(outcome.body) as DisbursementChunk)
    }
    return chunks
  }

  #answer(command: Command, status: number): Disbursement {
    const outcome = this.#fixture.do(command, { mailbox: this.#merchant })
    assert.equal(outcomeStatus(outcome), status, outcome.body)
    return JSON.parse(outcome.body) as Disbursement
  }
}
