// Bugs in the operator's rules and in the currencies.
import type { PlantedBug } from '../bug.ts'

const LIMITS = 'test/engine/domain/rules/limits.test.ts'
const FEES = 'test/engine/domain/rules/fees.test.ts'
const CHANGES = 'test/engine/domain/rules/rule-change.test.ts'
const MODEL = 'test/proof/model/random-movements.test.ts'
const CURRENCIES = 'test/e2e/currencies.test.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const near = bug('engine/domain/rules/near-limits.ts', [LIMITS, MODEL])
const turns = bug('engine/domain/disbursement/disbursement-advance-decide.ts', [FEES, MODEL])
const judged = bug('engine/domain/disbursement/disbursement-judge-decide.ts', [FEES, MODEL])
const movements = bug('engine/domain/rules/movement-rules.ts', [LIMITS, FEES, MODEL])
const counters = bug('engine/domain/rules/movement-counters.ts', [LIMITS, MODEL])
const fees = bug('engine/domain/rules/fees.ts', [FEES, MODEL])
const transactions = bug('engine/domain/rules/fee-transactions.ts', [FEES, MODEL])
const state = bug('engine/domain/rules/rules-state.ts', [LIMITS, FEES, MODEL])
const changes = bug('engine/domain/rules/rules-decide.ts', [CHANGES])
const accounts = bug('engine/ledger/accounts.ts', [MODEL, CURRENCIES])
const kept = bug('engine/domain/merchant/new-merchant.ts', [CURRENCIES])
const known = bug('engine/kernel/currency.ts', ['test/engine/domain/wallet/wallet-currency.test.ts', CURRENCIES])

export const RULE_BUGS: readonly PlantedBug[] = [
  near('a wallet learns that it is near a limit one unit late', 'used >= max - Math.floor', 'used > max - Math.floor'),
  near(
    'a wallet learns with each payment of a month that it is near',
    'if (rules.noticedWindow(wallet, limit) === windowOf(limit, timeMs)) return []',
    '',
  ),
  near('what comes near a limit does not count itself', 'paid > 0 ? paidDay + paid : null', 'paid > 0 ? paidDay : null'),
  near(
    'a wallet learns once a month that it is near the limit of a day',
    "limit === 'sent_day_max' ? dayOf(timeMs) : monthNumber(timeMs)",
    'monthNumber(timeMs)',
  ),
  turns('a turn of a disbursement forgets the fees before it', '?? 0), status.fee_amount)', '?? 0), 0)'),
  judged(
    'the check of a disbursement knows the fee of one line',
    'chunk.valid_fee_amount += feeOfLine',
    'chunk.valid_fee_amount = feeOfLine',
  ),
  movements(
    'a merchant holds more than its limit',
    "if (kind === 'merchant') return isAbove(held, this.#ruleOf(credit).balance_max)",
    "if (kind === 'merchant') return false",
  ),
  movements(
    'what brings a payee near a limit is not noticed',
    'if (isNear(held, balance_max) || isNear(received, received_month_max)) this.#nearsLimit = true',
    '',
  ),
  movements('what brings a payer near a limit is not noticed', 'isNear(paidDay + amount, sent_day_max) || isNear(', 'isNear('),
  counters('a new month keeps what was paid in the last one', '    numbers[at + PAID_MONTH] = 0\n', ''),
  fees('a fee passes its maximum', 'return max === undefined ? fee : Math.min(max, fee)', 'return fee'),
  transactions(
    'the fee of a refund names the refunded movement',
    'const moved: FeeMoved = { plan, on, fee_of: of.id }',
    "const moved: FeeMoved = { plan, on: 'charge', fee_of: of.id }",
  ),
  transactions(
    'a wallet that bears a fee gets no frame of its balance',
    "if (this.#accounts.kind(bearer) === 'wallet') this.frames",
    "if (this.#accounts.kind(bearer) === 'clearing') this.frames",
  ),
  state(
    'a tier that is no more leaves no limits',
    'return (own === undefined ? undefined : named.tiers.get(own)) ?? named.defaultTier',
    'return own === undefined ? named.defaultTier : (named.tiers.get(own) ?? null)',
  ),
  state('the limits of one merchant give way to those of all', 'own[name] ?? merchant[name]', 'merchant[name] ?? own[name]'),
  state(
    'rules of one currency are rules of each',
    'const named = this.#limits[environment].get(currency)',
    'const [named] = this.#limits[environment].values()',
  ),
  state(
    'limits of one merchant stay as they were before those of all changed',
    '    this.#wholeRules.clear()\n    const { wallet_tiers',
    '    const { wallet_tiers',
  ),
  changes(
    'a change of live rules needs no second person',
    "change.environment !== 'live') return",
    "change.environment === 'live') return",
  ),
  accounts(
    'money moves between currencies',
    'return this.#code(first) >>> KIND_BITS === this.#code(second) >>> KIND_BITS',
    'return this.environment(first) === this.environment(second)',
  ),
  kept('an account has a currency that is not kept', '(currencies.find((kept) => kept === named) ?? null)', '(named as Currency)'),
  known(
    'a live wallet has the first currency, whatever its phone',
    'kept.find((currency) => callingCodesOf(currency).some((code) => phone.startsWith(code))) ?? kept[0]',
    'kept.find(() => phone.length > 0) ?? kept[0]',
  ),
]
