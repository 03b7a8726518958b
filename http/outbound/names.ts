// Names to addresses. By c-ares, on sockets of its own: the resolver of the system shares libuv's threads with the
// commits of the log. Asked anew for every connection; every answer is looked at, and the connection goes to one of them.
import { Resolver } from 'node:dns/promises'
import { OutboundError } from './outcome.ts'
import { isPublicAddress } from './public-address.ts'

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

export interface NamesOptions {
  /** `public`: one private answer among them, and the name is refused. */
  readonly reach: 'public' | 'anywhere'
  /** `address:port` of name servers; those of the system when absent. */
  readonly servers?: readonly string[]
}

const QUERY_TIMEOUT_MS = 2_000
const QUERY_TRIES = 2

/** Without asking anybody (RFC 6761, section 6.3). */
const LOOPBACK: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** c-ares: there is no such name, or nothing of the kind under it. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export class Names {
  readonly #resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
  readonly #reach: 'public' | 'anywhere'

  constructor({ reach, servers }: NamesOptions) {
    this.#reach = reach
    if (servers !== undefined) this.#resolver.setServers(servers)
  }

  /** IPv4 first. Rejects with OutboundError. */
  async addressesOf(hostname: string): Promise<readonly Address[]> {
    const found = isLocalhost(hostname) ? LOOPBACK : await this.#ask(hostname)
    if (this.#reach === 'public' && !found.every(({ address }) => isPublicAddress(address))) throw new OutboundError('forbidden_address')
    return found
  }

  /** Ends what is being asked. */
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
