// Test and live are two ledgers that never mix; every account, key and wallet belongs to exactly one.

export type Environment = 'test' | 'live'

export const ENVIRONMENTS = ['live', 'test'] as const satisfies readonly Environment[]

/** Prefix of the phones of test wallets: no SMS is sent to them, and their OTP is always `000000`. */
export const TEST_PHONE_PREFIX = '+22500'

export function environmentOfPhone(phone: string): Environment {
  return phone.startsWith(TEST_PHONE_PREFIX) ? 'test' : 'live'
}
