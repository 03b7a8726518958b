// The headers that the server uses, and the check of the framing: whether the request's end is unambiguous. It must never authenticate.
import { IDEMPOTENCY_KEY_LENGTH_MAX, REQUEST_ID_LENGTH_MAX } from './server-limits.ts'

const NONE: readonly string[] = []

/** Headers that few callers of the API send, in an object of their own: a payout's head has none of them. */
export class RareHeaders {
  contentEncoding = ''
  expectation = ''
  transferEncoding = ''
  ifNoneMatch = ''
  forwardedFor = ''
  lastEventId = ''
  origin = ''
  cookie = ''
  fetchSite = ''
  csrfToken = ''
  environment = ''
  /** Header of another node of the cluster, not verified yet. */
  node = ''
  /** A single-valued header that came twice. */
  repeated = ''
}

const NO_RARE: Readonly<RareHeaders> = new RareHeaders()

/** Header values, empty when absent. */
export class RequestHead {
  apiKey = ''
  apiSecret = ''
  /** `secretHashOf` the secret, where an HTTP thread made it. Never a header. */
  apiSecretHash = ''
  authorization = ''
  idempotencyKey = ''
  idempotencyKeys = 0
  contentType = ''
  contentLength = ''
  requestId = ''
  accept = ''
  acceptEncoding = ''
  acceptLanguage = ''
  /** True when a proxy header is present. */
  proxied = false
  host = ''
  userAgent = ''
  hosts = 0
  contentLengths = 0
  transferEncodings = 0
  /** Names and values of all headers in turn, where a request may be forwarded to another node; empty elsewhere. */
  all: readonly string[] = NONE
  rare: Readonly<RareHeaders> = NO_RARE
  /** True from `readHead` to `dropHead`. */
  isReused = false

  /** Makes it a new one. */
  clear(): void {
    this.apiKey = ''
    this.apiSecret = ''
    this.apiSecretHash = ''
    this.authorization = ''
    this.idempotencyKey = ''
    this.idempotencyKeys = 0
    this.contentType = ''
    this.contentLength = ''
    this.requestId = ''
    this.accept = ''
    this.acceptEncoding = ''
    this.acceptLanguage = ''
    this.proxied = false
    this.host = ''
    this.userAgent = ''
    this.hosts = 0
    this.contentLengths = 0
    this.transferEncodings = 0
    this.all = NONE
    this.rare = NO_RARE
  }

  /** For writing. */
  get ownRare(): RareHeaders {
    if (this.rare === NO_RARE) this.rare = new RareHeaders()
    return this.rare
  }

  get contentEncoding(): string {
    return this.rare.contentEncoding
  }

  get expectation(): string {
    return this.rare.expectation
  }

  get transferEncoding(): string {
    return this.rare.transferEncoding
  }

  get ifNoneMatch(): string {
    return this.rare.ifNoneMatch
  }

  get forwardedFor(): string {
    return this.rare.forwardedFor
  }

  get lastEventId(): string {
    return this.rare.lastEventId
  }

  get origin(): string {
    return this.rare.origin
  }

  get cookie(): string {
    return this.rare.cookie
  }

  get fetchSite(): string {
    return this.rare.fetchSite
  }

  get csrfToken(): string {
    return this.rare.csrfToken
  }

  get environment(): string {
    return this.rare.environment
  }

  get node(): string {
    return this.rare.node
  }

  get repeated(): string {
    return this.rare.repeated
  }
}

const DIGITS = /^[0-9]{1,15}$/

/**
 * Returns false when two parties could disagree about the request's end (RFC 9112, sections 3.2 and 6.3). Such a
 * connection is closed, because a response would let the smuggled request through. This build of uWebSockets.js
 * accepts several Host and Content-Length headers and any transfer coding.
 */
export function isSafelyFramed(head: RequestHead): boolean {
  if (head.hosts !== 1 || head.contentLengths > 1 || head.transferEncodings > 1) return false
  if (head.contentLengths === 1 && !DIGITS.test(head.contentLength)) return false
  if (head.transferEncodings === 0) return true
  return head.contentLengths === 0 && head.transferEncoding.toLowerCase() === 'chunked'
}

const PRINTABLE = /^[ -~]+$/

/**
 * Returns whether a caller's request id is kept: 1 to 128 printable ASCII characters, because it becomes part of the
 * head.
 */
export function isRequestId(text: string): boolean {
  return text.length <= REQUEST_ID_LENGTH_MAX && PRINTABLE.test(text)
}

export function isIdempotencyKey(text: string): boolean {
  return text.length <= IDEMPOTENCY_KEY_LENGTH_MAX && PRINTABLE.test(text)
}
