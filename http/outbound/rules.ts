// What each kind of outgoing call may do: where it may go, how long it may take, how much it may bring back. A call
// names its rule; nobody makes one up on the way.

export interface OutboundRule {
  /** `public`: whoever chose the address is not trusted. `anywhere`: the operator chose it, in the settings. */
  readonly reach: 'public' | 'anywhere'
  /** Whether `http:` will do: never, where private targets are allowed (OUTBOUND_ALLOW_PRIVATE), always. */
  readonly plainHttp: 'never' | 'with-private' | 'always'
  /** Until status line and headers are there: name, connection and TLS included. */
  readonly headMs: number
  /** Until the last byte is there. */
  readonly totalMs: number
  /** `text`: the body is wanted. `status`: it is let go of, and neither its size nor its slowness changes the outcome. */
  readonly read: 'text' | 'status'
  /** Of the body. With `text` more is a failure; with `status` the connection is cut there. */
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
