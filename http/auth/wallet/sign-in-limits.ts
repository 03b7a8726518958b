// Limits of sign-in: live codes cost money, test phones cost memory and log, ID tokens cost a signature check. They
// run before the engine, so a rejection leaves no record.
import { type Environment, environmentOfPhone } from '../../../engine/kernel/environment.ts'
import type { TimeMs } from '../../../engine/kernel/time.ts'
import { NetworkLimit } from '../../server/network-limit.ts'
import {
  COUNTED_NETWORKS_MAX,
  EXCHANGES_PER_NETWORK,
  SENDS_PER_CALLING_CODE,
  SENDS_PER_NETWORK,
  TEST_SIGNUPS_BURST,
  TEST_SIGNUPS_PER_MINUTE,
  TEST_SIGNUPS_PER_NETWORK,
  TEST_STARTS_BURST,
  TEST_STARTS_PER_MINUTE,
  TEST_STARTS_PER_NETWORK,
} from '../../server/server-limits.ts'
import { SendBudget } from './send-budget.ts'

export interface SignInLimitsParts {
  /** Calling codes of the served countries. */
  readonly callingCodes: readonly string[]
  /** Codes to live phones per minute over all callers. */
  readonly perMinute: number
  readonly now: () => TimeMs
}

/** A request for a code. */
export interface CodeRequest {
  readonly environment: Environment
  /** Address of the caller. */
  readonly address: string
  /** Null when the caller gave a tag: a rejection must not reveal the phone. */
  readonly phone: string | null
}

const TAGS = 'tag'

export class SignInLimits {
  readonly #parts: SignInLimitsParts
  readonly #codes: Readonly<Record<Environment, SendBudget>>
  readonly #testSignups: SendBudget
  readonly #exchanges = new NetworkLimit(EXCHANGES_PER_NETWORK, COUNTED_NETWORKS_MAX)

  constructor(parts: SignInLimitsParts) {
    this.#parts = parts
    const { callingCodes, perMinute } = parts
    const networksMax = COUNTED_NETWORKS_MAX
    const perCallingCode = callingCodes.length === 1 ? 1 : SENDS_PER_CALLING_CODE
    this.#codes = {
      live: new SendBudget({ perMinute, burst: perMinute, perCallingCode, networks: SENDS_PER_NETWORK, networksMax }),
      test: new SendBudget({
        ...{ perMinute: TEST_STARTS_PER_MINUTE, burst: TEST_STARTS_BURST, perCallingCode: 1 },
        ...{ networks: TEST_STARTS_PER_NETWORK, networksMax },
      }),
    }
    this.#testSignups = new SendBudget({
      ...{ perMinute: TEST_SIGNUPS_PER_MINUTE, burst: TEST_SIGNUPS_BURST, perCallingCode: 1 },
      ...{ networks: TEST_SIGNUPS_PER_NETWORK, networksMax },
    })
  }

  /** Returns whether the phone's country is served. Test phones always are, because nothing is sent. */
  serves(phone: string): boolean {
    return environmentOfPhone(phone) === 'test' || this.#callingCode(phone) !== undefined
  }

  /** Takes one code and returns 0, or takes nothing and returns the seconds to wait. */
  takeCode({ environment, address, phone }: CodeRequest): number {
    return this.#codes[environment].take(address, this.#countedCode(phone), this.#parts.now())
  }

  /** Undoes one `takeCode` that returned 0. */
  giveBackCode({ environment, address, phone }: CodeRequest): void {
    this.#codes[environment].giveBack(address, this.#countedCode(phone), this.#parts.now())
  }

  /** Same as `takeCode`, for the sign-up of a test wallet. */
  takeTestSignup(address: string): number {
    return this.#testSignups.take(address, '', this.#parts.now())
  }

  /** Same as `takeCode`, for the check of an ID token. */
  takeExchange(address: string): number {
    return this.#exchanges.take(address, this.#parts.now())
  }

  #countedCode(phone: string | null): string {
    return phone === null ? TAGS : (this.#callingCode(phone) ?? '')
  }

  /** Returns the calling code of a phone. No code is a prefix of another (ITU-T E.164). */
  #callingCode(phone: string): string | undefined {
    return this.#parts.callingCodes.find((code) => phone.startsWith(code))
  }
}
