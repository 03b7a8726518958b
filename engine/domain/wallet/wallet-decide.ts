// Commands about wallets.
import { currencyOfPhone } from '../../kernel/currency.ts'
import { type Environment, TEST_PHONE_PREFIX } from '../../kernel/environment.ts'
import { randomOf } from '../../kernel/ids.ts'
import { isFreeForWallets } from '../../kernel/tag.ts'
import type { Context, Decision } from '../decision.ts'
import { keptCurrency } from '../merchant/new-merchant.ts'
import type { State } from '../state.ts'
import { type Wallet, walletCreated } from './wallet-state.ts'

/** The PIN of every test wallet; they hold no real money. */
export const TEST_WALLET_PIN = '2580'
export const TEST_WALLET_OTP = '000000'

/** Test wallets whose tag starts so are blocked from the first moment: `recipient_blocked` can be tried. */
export const BLOCKED_TEST_TAG_PREFIX = 'test_blocked'

/** A wallet of the test environment with a phone of its own, ready to use. */
export interface CreateTestWallet {
  readonly type: 'CreateTestWallet'
  /** Normalized. */
  readonly tag: string
  /** Absent: the default of the deployment. */
  readonly currency?: string
}

/** A wallet with everything given: sign-up, and the bulk path of the bench. */
export interface CreateWallet {
  readonly type: 'CreateWallet'
  readonly phone: string
  readonly tag: string
  readonly familyName: string
  readonly givenName: string
}

export const CREATE_TEST_WALLET_REJECTIONS = ['invalid_tag', 'unsupported_currency', 'tag_taken'] as const

/**
 * Returns `created` and what its user types. Rejections, in this precedence: invalid_tag (reserved, or without a letter),
 * unsupported_currency, tag_taken.
 */
export function decideCreateTestWallet(
  state: State,
  command: CreateTestWallet,
  context: Context,
): Decision<(typeof CREATE_TEST_WALLET_REJECTIONS)[number]> {
  const { tag } = command
  if (!isFreeForWallets(tag)) return { refusal: 'invalid_tag', param: 'tag' }
  const currency = keptCurrency(command.currency, context)
  if (currency === null) return { refusal: 'unsupported_currency', param: 'currency' }
  if (isTagTaken(state, 'test', tag, context)) return { refusal: 'tag_taken', param: 'tag' }
  const phone = freeTestPhone(state, context)
  const wallet: Wallet = {
    account: state.accounts.next(currency),
    id: context.newId(),
    phone,
    tag,
    family_name: 'Test',
    given_name: 'Portefeuille',
    blocked: tag.startsWith(BLOCKED_TEST_TAG_PREFIX),
  }
  return {
    environment: 'test',
    events: [walletCreated(wallet, currency)],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify({ tag, phone, pin: TEST_WALLET_PIN, otp: TEST_WALLET_OTP, environment: 'test' }),
  }
}

export const CREATE_WALLET_REJECTIONS = ['invalid_tag', 'phone_taken', 'tag_taken'] as const

/** Returns `created` and the wallet. Rejections, in this precedence: invalid_tag (reserved, or without a letter), phone_taken, tag_taken. */
export function decideCreateWallet(
  state: State,
  command: CreateWallet,
  context: Context,
): Decision<(typeof CREATE_WALLET_REJECTIONS)[number]> {
  const { phone, tag } = command
  const environment = phone.startsWith(TEST_PHONE_PREFIX) ? 'test' : 'live'
  if (!isFreeForWallets(tag)) return { refusal: 'invalid_tag', param: 'tag' }
  if (state.wallets.byPhone(phone) !== undefined) return { refusal: 'phone_taken', param: 'phone' }
  if (isTagTaken(state, environment, tag, context)) return { refusal: 'tag_taken', param: 'tag' }
  const currency = currencyOfPhone(phone, context.currencies)
  const wallet: Wallet = {
    account: state.accounts.next(currency),
    id: context.newId(),
    phone,
    tag,
    family_name: command.familyName,
    given_name: command.givenName,
    blocked: false,
  }
  return {
    environment,
    events: [walletCreated(wallet, currency)],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify({ id: wallet.id, phone, tag, environment }),
  }
}

/** A sign-up under way keeps its tag. */
function isTagTaken(state: State, environment: Environment, tag: string, context: Context): boolean {
  if (state.wallets.byTag(environment, tag) !== undefined) return true
  const signup = state.auth.signupWithTag(environment, tag)
  return signup !== undefined && signup.expires_at_ms > context.timeMs
}

const TEST_PHONES = 100_000_000

/** Returns a random unused test number. Numbers in order would tell how many wallets the service has. */
function freeTestPhone(state: State, context: Pick<Context, 'newId'>): string {
  for (;;) {
    const phone = `${TEST_PHONE_PREFIX}${String(randomOf(context.newId()) % TEST_PHONES).padStart(8, '0')}`
    if (state.wallets.byPhone(phone) === undefined) return phone
  }
}
