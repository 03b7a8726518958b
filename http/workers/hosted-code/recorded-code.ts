// Runs merchants' code for customers and has each run written into the product's log. Whoever waits for the result does not
// wait for the log, and a run that cannot be written down was run all the same.
import type { Engine } from '../../../engine/actor/engine.ts'
import type { Sandbox, SandboxRequest, SandboxResult } from '../../../engine/actor/ports.ts'
import type { CodeRunReport } from '../../../engine/domain/code-run/code-run-decide.ts'
import { FETCH_HOST_LENGTH_MAX } from '../../../engine/domain/code-run/code-run-limits.ts'
import type { AccountNumber } from '../../../engine/ledger/transaction.ts'

export interface CodeRequest extends SandboxRequest {
  /** The merchant's, in the environment of whoever caused the run. */
  readonly account: AccountNumber
  /** Slug. */
  readonly product: string
}

export interface RecordedCodeParts {
  readonly engine: Pick<Engine, 'submit'>
  readonly sandbox: Pick<Sandbox, 'run'>
  /** False when the disk is nearly full: the room that is left is for money. */
  readonly canWrite: () => boolean
}

export class RecordedCode {
  readonly #parts: RecordedCodeParts
  #unrecorded = 0

  constructor(parts: RecordedCodeParts) {
    this.#parts = parts
  }

  /** Runs that could not be written down: the merchant's mailbox or the disk was full. */
  get unrecorded(): number {
    return this.#unrecorded
  }

  /** Never rejects. */
  async run({ account, product, ...request }: CodeRequest): Promise<SandboxResult> {
    const result = await this.#parts.sandbox.run(request)
    // The fulfiller runs it again: an attempt that never started is no run.
    if (!result.ok && !result.started && request.entry === 'onPaid') return result
    this.record(account, reportOf({ product, entry: request.entry, test: false }, result))
    return result
  }

  /** Puts a run into the log of its product, without waiting. */
  record(account: AccountNumber, run: CodeRunReport): void {
    const { engine, canWrite } = this.#parts
    const command = { type: 'RecordCodeRun', merchant: account, run } as const
    const isTaken = canWrite() && engine.submit({ command, mailbox: account, idempotency: null }, NOBODY) === null
    if (!isTaken) this.#unrecorded += 1
  }
}

const NOBODY = {
  settle(): void {
    // The run is over; nobody waits for its log.
  },
}

/** As the run log keeps it. */
export function reportOf(
  { product, entry, test }: { readonly product: string; readonly entry: SandboxRequest['entry']; readonly test: boolean },
  result: SandboxResult,
): CodeRunReport {
  return {
    product,
    kind: entry === 'lookup' ? 'lookup' : 'fulfillment',
    test,
    ok: result.ok,
    error: result.ok ? null : result.error,
    duration_ms: result.durationMs,
    fetches: result.fetches.map(({ method, host, status, durationMs }) => ({
      method,
      host: host.slice(0, FETCH_HOST_LENGTH_MAX),
      status,
      duration_ms: durationMs,
    })),
    logs: result.logs,
  }
}
