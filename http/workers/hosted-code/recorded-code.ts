// Runs merchants' code for customers and submits each run to the product's run log. The result does not wait for the
// log, and does not depend on it.
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
  /** The merchant's account, in the environment of the customer that caused the run. */
  readonly account: AccountNumber
  /** Slug. */
  readonly product: string
}

export interface RecordedCodeParts {
  readonly engine: Pick<EngineApi, 'submit'>
  readonly sandbox: Pick<Sandbox, 'run'>
  /** False when the disk is nearly full. The remaining space is reserved for payments. */
  readonly canWrite: () => boolean
}

export class RecordedCode {
  readonly #parts: RecordedCodeParts
  #unrecorded = 0

  constructor(parts: RecordedCodeParts) {
    this.#parts = parts
  }

  /** Number of unrecorded runs: the merchant's mailbox or the disk was full. */
  get unrecorded(): number {
    return this.#unrecorded
  }

  /** Runs the code. Never rejects. */
  async run({ account, product, ...request }: CodeRequest): Promise<SandboxResult> {
    const result = await this.#parts.sandbox.run(request)
    // An attempt that did not start is no run; the fulfiller retries it.
    if (!result.ok && !result.started && request.entry === 'onPaid') return result
    this.record(account, reportOf({ product, entry: request.entry, test: false }, result))
    return result
  }

  /** Submits a run to its product's log, without waiting. */
  record(account: AccountNumber, run: CodeRunReport): void {
    const { engine, canWrite } = this.#parts
    const command = { type: 'RecordCodeRun', merchant: account, run } as const
    const isTaken = canWrite() && engine.submit({ command, mailbox: account, idempotency: null }, NO_REPLY) === null
    if (!isTaken) this.#unrecorded += 1
  }
}

const NO_REPLY = {
  settle(): void {
    // Ignored: nothing waits for the run's log.
  },
}

/** Returns the run as the run log stores it. */
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
