// Submits the commands of a handler to the engine.
import type { AccountNumber, Command, Envelope, IdempotencyKey, Outcome, Reply } from '../../../engine/api.ts'
import { assert } from '../../../engine/kernel/assert.ts'
import { WAITING_COMMANDS } from '../../../engine/kernel/limits.ts'
import { fingerprintOf } from '../fingerprint.ts'
import { onceArguments } from '../kept-result.ts'
import { coreOf, letGo, type Request, targetOf } from '../request.ts'
import type { OutcomeListener } from '../route.ts'
import { keyedBody } from './validate.ts'

const NO_BYTES = Buffer.alloc(0)

/** As `Call.submit`. */
export function submit(request: Request, command: Command, mailbox: AccountNumber): void {
  send(request, { command, mailbox, idempotency: request.idempotency, requestId: request.requestId }, request.call)
  letGo(request)
}

/** As `Call.ask`. */
export function ask(request: Request, command: Command, mailbox: AccountNumber, onOutcome: (outcome: Outcome) => void): boolean {
  const settle = (outcome: Outcome): void => {
    try {
      onOutcome(outcome)
    } catch (error) {
      request.call.fail(error)
    }
  }
  return send(request, { command, mailbox, idempotency: null }, { settle })
}

/** A command with a secret of its response. */
export interface SecretCommand {
  readonly command: Command
  readonly mailbox: AccountNumber
  readonly key: IdempotencyKey | null
  readonly secret: string
  readonly onOutcome: OutcomeListener
}

/** As `Call.once`. */
export function once(request: Request, secret: SecretCommand): void {
  send(request, ...onceArguments(coreOf(request), request.call, secret))
}

/** As `Call.adoptKey`. */
export function adoptKey(request: Request, scope: string, fallback: string): IdempotencyKey {
  const { secretFields, method } = request.endpoint.route
  assert(secretFields !== undefined, 'what the key stands for is made from the parsed body')
  const { idempotencyKey } = request.headers
  const fingerprint = fingerprintOf(method, targetOf(request), keyedBody(request, NO_BYTES))
  request.idempotency = { scope, key: idempotencyKey === '' ? fallback : idempotencyKey, fingerprint }
  return request.idempotency
}

/** Returns whether the engine took the command. */
function send(request: Request, envelope: Envelope, reply: Reply): boolean {
  const { principal, language } = request
  const core = coreOf(request)
  const spoken = language === 'en' ? { ...envelope, language } : envelope
  const sent = principal.kind === 'operator' ? { ...spoken, operator: principal.operator } : spoken
  const code = core.canWrite() ? core.engine.submit(sent, reply) : 'unavailable'
  if (code === null) request.hasSubmitted = true
  else request.call.refuse(code, code === 'quota_exceeded' ? WAITING_COMMANDS.name : undefined)
  return code === null
}
