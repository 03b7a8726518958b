// Bugs in the ledger and in decisions about money.
import type { PlantedBug } from '../bug.ts'

const SIMULATOR = 'test/proof/simulate/simulate.test.ts'
const LEDGER = 'test/engine/ledger/accounts.test.ts'
const HOLDS = 'test/engine/ledger/holds.test.ts'
const PAYOUTS = 'test/engine/domain/payout/payouts.test.ts'
const PHONES = 'test/engine/domain/payout/phone-recipients.test.ts'
const BATCHES = 'test/engine/domain/payout/batch.test.ts'
const CHARGES = 'test/engine/domain/charge/states.test.ts'
const CHARGE_TIMES = 'test/engine/domain/charge/time.test.ts'
const SCHEDULES = 'test/engine/domain/schedule/schedule.test.ts'
const ONCE = 'test/engine/domain/schedule/exactly-once.test.ts'
const MANDATES = 'test/engine/domain/mandate/mandate.test.ts'
const CASH_CRASH = 'test/engine/domain/cash-request/cash-request-crash.test.ts'
const CASH = 'test/engine/domain/cash-request/cash-request.test.ts'
const CONTROL = 'test/engine/domain/control.test.ts'
const DELIVERIES = 'test/engine/domain/webhook/deliveries.test.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const accounts = bug('engine/ledger/accounts.ts', [LEDGER, HOLDS, 'test/engine/actor/snapshot.test.ts', CASH_CRASH, SIMULATOR])
const holds = bug('engine/ledger/holds.ts', [HOLDS, CASH, SIMULATOR])
const payouts = bug('engine/domain/payout/payout-decide.ts', [PAYOUTS, PHONES, CONTROL, DELIVERIES, SIMULATOR])
const movements = bug('engine/domain/rules/movement-rules.ts', [PAYOUTS, BATCHES, PHONES, SIMULATOR])
const lines = bug('engine/domain/payout/line-fates.ts', [BATCHES, PHONES, CONTROL, SIMULATOR])
const LIMITS = 'test/engine/domain/rules/limits.test.ts'
const MODEL = 'test/proof/model/random-movements.test.ts'
const limits = bug('engine/domain/rules/movement-rules.ts', [LIMITS, MODEL])
const FEES = 'test/engine/domain/rules/fees.test.ts'
const fees = bug('engine/domain/rules/fees.ts', [FEES, MODEL])
const feeRules = bug('engine/domain/rules/movement-rules.ts', [FEES, MODEL])
const counters = bug('engine/domain/rules/movement-counters.ts', [LIMITS, MODEL])
const charges = bug('engine/domain/charge/charge-decide.ts', [CHARGES, CHARGE_TIMES, SIMULATOR])
const payments = bug('engine/domain/charge/charge-payment-decide.ts', [
  CHARGES,
  CHARGE_TIMES,
  CONTROL,
  SIMULATOR,
  'test/engine/domain/payment-link/payment-link.test.ts',
])
const runs = bug('engine/domain/schedule/schedule-run-decide.ts', [SCHEDULES, ONCE, SIMULATOR])
const DISBURSED = 'test/engine/domain/schedule/disbursement-runs.test.ts'
const payees = bug('engine/domain/schedule/schedule-payees.ts', [DISBURSED])
const disbursedRuns = bug('engine/domain/disbursement/disbursement-run.ts', [DISBURSED])
const mandates = bug('engine/domain/mandate/mandate-collect-decide.ts', [MANDATES, SIMULATOR])
const withdrawals = bug('engine/domain/cash-request/withdrawal-decide.ts', [
  CASH,
  'test/engine/domain/cash-request/cash-request-dual-control.test.ts',
])

const deposits = bug('engine/domain/funding/funding-decide.ts', [CONTROL, SIMULATOR])

export const MONEY_BUGS: readonly PlantedBug[] = [
  accounts(
    'a credit is doubled',
    'const creditBalance = (this.#balances[credit] as number) + amount',
    'const creditBalance = (this.#balances[credit] as number) + 2 * amount',
  ),
  accounts('a debit is lost', '    this.#balances[debit] = debitBalance\n', ''),
  accounts('a merchant may go below zero', "assert((debitCode & KIND_MASK) === SETTLEMENT || debitBalance >= 0, 'no overdraft')", ''),
  accounts(
    'money moves between test and live',
    "assert(debitCode >>> KIND_BITS === creditCode >>> KIND_BITS, 'a posting stays in its environment and its currency')",
    '',
  ),
  accounts('what is held may be spent', 'return this.balance(account) - (this.#holds[account] as number)', 'return this.balance(account)'),
  accounts('the snapshot lacks the credited account', '    this.#willChange(credit)\n', ''),
  accounts('the snapshot lacks the holds', 'holds: this.#holds.slice(from, to) }', 'holds: new Float64Array(to - from) }'),
  accounts(
    'a restored block stands one block too far',
    '    this.#balances.set(block.balances, from)',
    '    this.#balances.set(block.balances, block.block === 0 ? from : from - 1)',
  ),
  accounts(
    'grown columns lose the balances',
    'this.#balances = grown(this.#balances, new Float64Array(capacity))',
    'this.#balances = new Float64Array(capacity)',
  ),
  holds(
    'a hold that has expired is captured',
    "assert(!this.isExpired(this.#placed(id), nowMs), 'a hold that has expired is not captured')",
    '',
  ),
  holds('the end of a hold does not release it', 'this.#accounts.changeHeld(hold.account, -hold.amount)\n', ''),
  holds('a hold may exceed what is available', '>= amount', '>= 0'),
  holds('a hold expires one millisecond late', 'return nowMs >= hold.expires_at', 'return nowMs > hold.expires_at'),
  payouts(
    'a payout may exceed the balance by one',
    "if (rules.isShort('payout', merchant, null, amount)) return 'insufficient_balance'",
    "if (rules.isShort('payout', merchant, null, amount - 1)) return 'insufficient_balance'",
  ),
  {
    ...{ name: 'a blocked wallet is paid', file: 'engine/domain/wallet/wallet-state.ts' },
    ...{ from: "    if (wallet.blocked) return 'recipient_blocked'\n", to: '' },
    tests: [PAYOUTS, BATCHES, 'test/engine/domain/control.test.ts', SIMULATOR],
  },
  movements(
    'a wallet may exceed its ceiling by one',
    'WALLET_BALANCE_MAX : ACCOUNT_BALANCE_MAX)) return true',
    'WALLET_BALANCE_MAX + 1 : ACCOUNT_BALANCE_MAX)) return true',
  ),
  limits(
    'a month forgets what a wallet has received',
    'rules.counters.receivedMonthOf(credit, this.#context.timeMs) + given + amount',
    'given + amount',
  ),
  limits('a wallet pays as much as it likes in a day', 'isAbove(paidDay + amount, sent_day_max)', 'isAbove(amount, sent_day_max)'),
  limits(
    'the payouts of a batch do not add up to the day',
    'paidDay + this.#paidOut + amount > payout_day_max',
    'paidDay + amount > payout_day_max',
  ),
  fees('a fee is rounded down', 'Math.floor((rest * percent_bp + WHOLE_BP / 2) / WHOLE_BP)', 'Math.floor((rest * percent_bp) / WHOLE_BP)'),
  feeRules('a payer need not hold the fee', '? available < amount + cost :', '? available < amount :'),
  feeRules('a merchant bears a fee that it does not hold', '|| accounts.available(bearer) + amount < cost', ''),
  feeRules('the fees of a batch do not run along', 'this.#spent += amount + feeBorneBy(movement, debit)', 'this.#spent += amount'),
  feeRules('a refund gives back a fee that its plan keeps', 'fee_terms?.refundable !== true', 'fee_terms === undefined'),
  {
    ...{ name: 'a withdrawal does not hold its fee', file: 'engine/domain/cash-request/cash-request-evolve.ts' },
    ...{ from: 'amount: request.amount + request.fee', to: 'amount: request.amount' },
    tests: [FEES, MODEL],
  },
  {
    ...{ name: 'a refund is paid before its fee comes back', file: 'engine/domain/rules/fee-transactions.ts' },
    ...{ from: '[...before.transactions, ...transactions, ...', to: '[...transactions, ...before.transactions, ...' },
    tests: [FEES, MODEL],
  },
  counters('a refund gives nothing back', 'numbers[at + PAID_MONTH] = Math.max(0, (numbers[at + PAID_MONTH] as number) - amount)', ''),
  payouts('a suspended merchant pays out', '  if (stop !== null) return { refusal: stop }\n', ''),
  payouts(
    'an unknown phone is told apart without the balance for it',
    'const payee = failureOfPayer(merchant, amount, allowance, rules) ?? checks.payeeOf(recipient)',
    "const found = checks.payeeOf(recipient)\n  const payee = found === 'recipient_not_found' ? found : (failureOfPayer(merchant, amount, allowance, rules) ?? found)",
  ),
  payouts(
    'the webhook of a failed payout says that it is paid',
    "const type = payout.state === 'paid' ? 'payout.paid' : 'payout.failed'\n  return [",
    "const type = 'payout.paid'\n  return [",
  ),
  movements('the balance does not run along the lines', '    this.#spent += amount + feeBorneBy(movement, debit)\n', ''),
  movements('a wallet that occurs twice exceeds its ceiling', 'this.#given.add(credit, amount)', 'this.#given.add(credit, 0)'),
  lines(
    'lines of a suspended merchant are paid',
    "fault ?? stop ?? (amount === null ? 'invalid_amount'",
    "fault ?? (amount === null ? 'invalid_amount'",
  ),
  charges('a charge stays valid for a second more', 'context.timeMs + CHARGE_VALIDITY_MS)', 'context.timeMs + CHARGE_VALIDITY_MS + 1000)'),
  charges(
    'a merchant cancels the charge of another',
    "if (found === null || found.account !== command.merchant) return { refusal: 'not_found' }\n  if (found.state === 'cancelled')",
    "if (found === null) return { refusal: 'not_found' }\n  if (found.state === 'cancelled')",
  ),
  charges('a paid charge is paid again', "paid: 'charge_already_paid',", 'paid: null,'),
  charges('an expired charge is paid', "expired: 'charge_expired',", 'expired: null,'),
  charges('a merchant has more pending charges than its share', '  if (full !== null) return full\n', ''),
  payments('a wallet of the other environment pays', ' || accounts.environment(payer) !== found.charge.environment) return', ') return'),
  payments('another customer pays a charge', "  if (customer_tag !== '' && customer_tag !== wallet.tag) return 'wrong_customer'\n", ''),
  deposits(
    'a blocked wallet gets a deposit',
    "  if (state.wallets.byAccount(account)?.blocked === true) return { refusal: 'wallet_blocked' }\n",
    '',
  ),
  payments('a blocked wallet pays', "  if (wallet.blocked) return { refusal: 'wallet_blocked' }\n", ''),
  payments(
    'a payer without balance is accepted',
    "  if (rules.isShort('charge', payer, account, charge.amount)) return { refusal: 'insufficient_balance' }\n",
    '',
  ),
  payments(
    'a challenge that is not open any more pays',
    "if (challengeId !== null && !state.auth.isGoodFor(challengeId, { subject: token, account: payer }, context.timeMs))\n    return { refusal: 'otp_expired' }\n",
    '',
  ),
  payments('the challenge of a payment is not used up', '...(challengeId === null ? [] : [used]),', ''),
  payments(
    'a refund spends money that is held',
    "if (!rules.coversRefund(movement)) return { refusal: 'funds_paid_out' }",
    "if (state.accounts.balance(account) < charge.amount) return { refusal: 'funds_paid_out' }",
  ),
  payments(
    'a charge is refunded twice',
    "  if (found.state === 'refunded') return { refusal: 'charge_already_refunded' }\n  if (found.state !== CHARGE_MOVES_FROM.refunded)",
    "  if (found.state !== 'refunded' && found.state !== CHARGE_MOVES_FROM.refunded)",
  ),
  payments('another merchant refunds the charge', 'if (found === null || found.account !== command.merchant)', 'if (found === null)'),
  runs(
    'a stale timer pays the next occurrence',
    "  if (command.dueMs !== null && command.dueMs !== scheduledMs) return { refusal: 'schedule_not_active' }\n",
    '',
  ),
  runs('missed occurrences are paid one by one', 'Math.max(scheduledMs, timeMs))', 'scheduledMs)'),
  runs('a run does not count', 'runs_count: status.runs_count + 1', 'runs_count: status.runs_count'),
  runs('another merchant runs the schedule', "  if (live.account !== command.merchant) return { refusal: 'not_found' }\n", ''),
  payees(
    'the disbursement of another merchant is scheduled',
    "if (row?.account !== merchant) return { refusal: 'not_found', param }",
    "if (row === null) return { refusal: 'not_found', param }",
  ),
  payees('a schedule of a disbursement is nothing to the payout policy', 'total_amount: valid_amount', 'total_amount: 0'),
  disbursedRuns(
    'a run opens a disbursement beyond the share',
    'isFull ? { ...fresh, status } : running',
    'isFull ? running(fresh, 0) : running',
  ),
  mandates(
    'a stale timer collects',
    "  if (dueMs !== null && state.mandates.live.get(command.id)?.dueMs !== dueMs) return { refusal: 'mandate_not_active' }\n",
    '',
  ),
  mandates(
    'a mandate of the 31st is anchored on its last occurrence',
    'occurrenceAfter(mandate, parseRfc3339(anchor_at), paidMs)',
    'occurrenceAfter(mandate, parseRfc3339(occurrence_at ?? anchor_at), paidMs)',
  ),
  {
    ...mandates(
      'one payment more than the maximum is collected',
      'mandate.payments_count + 1 >= mandate.max_payments',
      'mandate.payments_count >= mandate.max_payments',
    ),
    hangs: true,
  },
  mandates(
    'a mandate that has ended collects',
    '  if (hasEnded(mandate, context.timeMs)) {',
    '  if (hasEnded(mandate, context.timeMs - 1)) {',
  ),
  mandates(
    'more than the maximum of the customer is collected',
    "  if (amount > left) return { refusal: 'amount_out_of_bounds', param: 'amount' }\n",
    '',
  ),
  mandates(
    'failed attempts never pause',
    'const pauses = failed_attempts > RETRIES_MAX',
    'const pauses = failed_attempts > RETRIES_MAX + 1',
  ),
  withdrawals(
    'a withdrawal is not covered by the balance',
    "  if (!holds.canPlace(merchant, amount + (fee?.amount ?? 0))) return { refusal: 'insufficient_balance' }\n",
    '',
  ),
  withdrawals(
    'a withdrawal that was cancelled is paid',
    "  if (request.state !== 'requested') return { refusal: 'request_not_open' }\n  if (approval === undefined",
    '  if (approval === undefined',
  ),
  withdrawals(
    'a merchant cancels while a second operator is asked',
    "  if (state.approvals.waitingFor(found.request.id) !== null) return { refusal: 'approval_waiting' }\n  return endRequest(context, { found, kind: 'withdrawal', outcome: { state: 'cancelled' }",
    "  return endRequest(context, { found, kind: 'withdrawal', outcome: { state: 'cancelled' }",
  ),
  withdrawals(
    'one operator alone pays',
    'const asked = merchant === null ? askSecondPerson(state, found, command, movement, context) : null',
    'const asked = null as ReturnType<typeof askSecondPerson> | null',
  ),
]
