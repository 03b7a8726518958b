// Rules per kind of outgoing call: target, time and size. A call names its rule.

export interface OutboundRule {
  /** `public`: the address was chosen by an untrusted party. `anywhere`: the operator set it. */
  readonly reach: 'public' | 'anywhere'
  /** When `http:` is allowed: never, with OUTBOUND_ALLOW_PRIVATE, or always. */
  readonly plainHttp: 'never' | 'with-private' | 'always'
  /** Deadline of status line and headers, with name, connection and TLS. */
  readonly headMs: number
  /** Deadline of the last byte. */
  readonly totalMs: number
  /** `text`: the body is read. `status`: the body is discarded, and its size and speed do not change the outcome. */
  readonly read: 'text' | 'status'
  /** Maximum bytes of the body. With `text` more is a failure; with `status` the connection is closed there. */
  readonly answerBytesMax: number
}

const KIB = 1024

export const OUTBOUND_RULES = {
  webhook: {
    reach: 'public',
    plainHttp: 'with-private',
    headMs: 15_000,
    totalMs: 15_000,
    read: 'status',
    answerBytesMax: 64 * KIB,
  },
  lookup: { reach: 'public', plainHttp: 'never', headMs: 10_000, totalMs: 10_000, read: 'text', answerBytesMax: 64 * KIB },
  hostedFetch: {
    reach: 'public',
    plainHttp: 'never',
    headMs: 10_000,
    totalMs: 10_000,
    read: 'text',
    answerBytesMax: 256 * KIB,
  },
  gateway: {
    reach: 'anywhere',
    plainHttp: 'always',
    headMs: 10_000,
    totalMs: 10_000,
    read: 'status',
    answerBytesMax: 64 * KIB,
  },
  keys: { reach: 'anywhere', plainHttp: 'always', headMs: 10_000, totalMs: 10_000, read: 'text', answerBytesMax: 256 * KIB },
} as const satisfies Record<string, OutboundRule>
