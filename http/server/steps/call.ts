// A request as its handler sees it. It holds no state of its own.
import type { AccountNumber, Command, IdempotencyKey, Outcome } from '../../../engine/api.ts'
import type { ErrorCode, ErrorDetails, ErrorExtras } from '../../../engine/contract/errors.ts'
import type { Request } from '../request.ts'
import type { BrowserWords, Header, OpenStream, OutcomeListener, Principal, StreamListener } from '../route.ts'
import type { ReplayingCall } from '../server-context.ts'
import { sealCursor } from './query.ts'
import { adoptKey, ask, once, submit } from './submit.ts'

/** Where requests come from and their answers go: HTTP, or a page in the same process. Methods are those of `Call`. */
export interface Transport<R> {
  remoteAddress(request: R): string
  isLocal(request: R): boolean
  isPrivate(request: R): boolean
  isFromNode(request: R): boolean
  /** Receives the engine's outcome, once it is durable. */
  settle(request: R, outcome: Outcome): void
  answer(request: R, status: number, body: string): void
  answerAs(request: R, status: number, body: string | Uint8Array, headers: readonly Header[]): void
  refuse(request: R, code: ErrorCode, param?: string, extras?: ErrorExtras): void
  spend(request: R, requests: number): boolean
  stream(request: R, headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null
  fail(request: R, error: unknown): void
}

export class RequestCall<R extends Request> implements ReplayingCall {
  readonly #request: R
  readonly #transport: Transport<R>

  constructor(request: R, transport: Transport<R>) {
    this.#request = request
    this.#transport = transport
  }

  get requestId(): string {
    return this.#request.requestId
  }

  get principal(): Principal {
    return this.#request.principal
  }

  get params(): readonly string[] {
    return this.#request.params
  }

  get queryText(): string {
    return this.#request.queryText
  }

  get query(): Record<string, unknown> {
    return this.#request.query
  }

  get body(): unknown {
    return this.#request.body
  }

  get idempotency(): IdempotencyKey | null {
    return this.#request.idempotency
  }

  get isReplay(): boolean {
    return this.#request.isReplay
  }

  set isReplay(isReplay: boolean) {
    this.#request.isReplay = isReplay
  }

  get accept(): string {
    return this.#request.headers.accept
  }

  get acceptEncoding(): string {
    return this.#request.headers.acceptEncoding
  }

  get ifNoneMatch(): string {
    return this.#request.headers.ifNoneMatch
  }

  get lastEventId(): string {
    return this.#request.headers.lastEventId
  }

  get authorization(): string {
    return this.#request.headers.authorization
  }

  get browser(): BrowserWords {
    const { headers } = this.#request
    // A handler may hold it for longer than its request.
    headers.isReused = false
    return headers
  }

  get remoteAddress(): string {
    return this.#transport.remoteAddress(this.#request)
  }

  get isLocal(): boolean {
    return this.#transport.isLocal(this.#request)
  }

  get isPrivate(): boolean {
    return this.#transport.isPrivate(this.#request)
  }

  get isFromNode(): boolean {
    return this.#transport.isFromNode(this.#request)
  }

  adoptKey(scope: string, fallback: string): IdempotencyKey {
    return adoptKey(this.#request, scope, fallback)
  }

  submit(command: Command, mailbox: AccountNumber): void {
    submit(this.#request, command, mailbox)
  }

  ask(command: Command, mailbox: AccountNumber, onOutcome: (outcome: Outcome) => void): boolean {
    return ask(this.#request, command, mailbox, onOutcome)
  }

  once(
    command: Command,
    mailbox: AccountNumber,
    secret: string,
    onOutcome: OutcomeListener,
    key: IdempotencyKey | null = this.#request.idempotency,
  ): void {
    once(this.#request, { command, mailbox, key, secret, onOutcome })
  }

  sealCursor(place: string): string {
    return sealCursor(this.#request, place)
  }

  settle(outcome: Outcome): void {
    this.#transport.settle(this.#request, outcome)
  }

  answer(status: number, body: string): void {
    this.#transport.answer(this.#request, status, body)
  }

  answerAs(status: number, body: string | Uint8Array, headers: readonly Header[]): void {
    this.#transport.answerAs(this.#request, status, body, headers)
  }

  refuse<Code extends ErrorCode>(code: Code, ...[param, extras]: ErrorDetails<Code>): void {
    this.#transport.refuse(this.#request, code, param, extras)
  }

  spend(requests: number): boolean {
    return this.#transport.spend(this.#request, requests)
  }

  stream(headers: readonly Header[], first: string, listener: StreamListener): OpenStream | null {
    return this.#transport.stream(this.#request, headers, first, listener)
  }

  fail(error: unknown): void {
    this.#transport.fail(this.#request, error)
  }
}
