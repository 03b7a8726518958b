// Resolves host names by c-ares on its own sockets, because the system's resolver shares libuv's threads with the
// log's commits. It resolves anew for every connection, and the connection uses one of the checked addresses.
import { Resolver } from 'node:dns/promises'
import { OutboundError } from './outcome.ts'
import { isPublicAddress } from './public-address.ts'

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

export interface NamesOptions {
  /** `public`: a name with a private address among its addresses is rejected. */
  readonly reach: 'public' | 'anywhere'
  /** `address:port` of name servers; the system's when absent. */
  readonly servers?: readonly string[]
}

const QUERY_TIMEOUT_MS = 2_000
const QUERY_TRIES = 2

/** Loopback addresses of `localhost`, without a query (RFC 6761, section 6.3). */
const LOOPBACK: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** c-ares errors for an absent name or record type. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export class Names {
  readonly #resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
  readonly #reach: 'public' | 'anywhere'

  constructor({ reach, servers }: NamesOptions) {
    this.#reach = reach
    if (servers !== undefined) this.#resolver.setServers(servers)
  }

  /** Resolves a name, IPv4 first. Rejects with OutboundError. */
  async addressesOf(hostname: string): Promise<readonly Address[]> {
    const found = isLocalhost(hostname) ? LOOPBACK : await this.#ask(hostname)
    if (this.#reach === 'public' && !found.every(({ address }) => isPublicAddress(address))) throw new OutboundError('forbidden_address')
    return found
  }

  /** Cancels running queries. */
  close(): void {
    this.#resolver.cancel()
  }

  async #ask(hostname: string): Promise<readonly Address[]> {
    const [four, six] = await Promise.allSettled([this.#resolver.resolve4(hostname), this.#resolver.resolve6(hostname)])
    const found = [...answersOf(four, 4), ...answersOf(six, 6)]
    if (found.length > 0) return found
    const isAbsent = [four, six].every((answer) => answer.status === 'fulfilled' || ABSENT.has((answer.reason as { code?: unknown }).code))
    throw new OutboundError(isAbsent ? 'name_not_found' : 'name_unresolved')
  }
}

function answersOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

function isLocalhost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}
