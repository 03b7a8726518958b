// Runs merchants' code for customers and submits each run to the product's run log. The result does not wait for the log,
// and a run that cannot be recorded has run all the same.
import {
  type AccountNumber,
  type CodeRunReport,
  type EngineApi,
  FETCH_HOST_LENGTH_MAX,
  type Sandbox,
  type SandboxRequest,
  type SandboxResult,
} from '../../../engine/api.ts'

export interface CodeRequest extends SandboxRequest {
  /** The merchant's, in the environment of the customer that caused the run. */
  readonly account: AccountNumber
  /** Slug. */
  readonly product: string
}

export interface RecordedCodeParts {
  readonly engine: Pick<EngineApi, 'submit'>
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

  /** Runs that could not be recorded: the merchant's mailbox or the disk was full. */
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
    const isTaken = canWrite() && engine.submit({ command, mailbox: account, idempotency: null }, NO_REPLY) === null
    if (!isTaken) this.#unrecorded += 1
  }
}

const NO_REPLY = {
  settle(): void {
    // The run is over; nothing waits for its log.
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
