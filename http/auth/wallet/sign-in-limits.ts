// How much sign-in may cost: codes to live phones cost money, test phones cost memory and log, ID tokens a signature check.
// In front of the engine: what is refused here leaves no record.
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
  /** Calling codes that codes are sent to. */
  readonly callingCodes: readonly string[]
  /** Codes to live phones a minute, of all callers together. */
  readonly perMinute: number
  readonly now: () => TimeMs
}

/** Of one code that is about to be made. */
export interface CodeRequest {
  readonly environment: Environment
  /** Of the caller. */
  readonly address: string
  /** Null where the caller gave a tag: the phone behind it must not show in what is refused. */
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

  /** Whether codes are sent to the phone's country. Test phones are always served: nothing is sent to them. */
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

  /** The same for a test wallet that is about to be made. */
  takeTestSignup(address: string): number {
    return this.#testSignups.take(address, '', this.#parts.now())
  }

  /** The same for an ID token that is about to be checked. */
  takeExchange(address: string): number {
    return this.#exchanges.take(address, this.#parts.now())
  }

  #countedCode(phone: string | null): string {
    return phone === null ? TAGS : (this.#callingCode(phone) ?? '')
  }

  /** No calling code is the beginning of another (ITU-T E.164). */
  #callingCode(phone: string): string | undefined {
    return this.#parts.callingCodes.find((code) => phone.startsWith(code))
  }
}
