// Bugs in codes, PINs, transfers, bills and requests of merchants.
import type { PlantedBug } from '../bug.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const pins = bug('engine/domain/auth/pin-decide.ts', ['test/engine/domain/auth/pin.test.ts'])
const checks = bug('http/auth/wallet/pin-check.ts', ['test/http/auth/wallet/pin-check.test.ts'])
const codes = bug('engine/domain/auth/otp-decide.ts', ['test/engine/domain/auth/otp.test.ts'])
const CONTROL = 'test/engine/domain/control.test.ts'
const transfers = bug('engine/domain/transfer/transfer-decide.ts', ['test/engine/domain/transfer/transfer.test.ts', CONTROL])
const movements = bug('engine/domain/rules/movement-rules.ts', ['test/engine/domain/transfer/transfer.test.ts', CONTROL])
const bills = bug('engine/domain/bill/bill-pay-decide.ts', [
  'test/engine/domain/bill/paying.test.ts',
  CONTROL,
  'test/http/workers/fulfillment/fulfiller.test.ts',
  'test/proof/simulate/simulate.test.ts',
])
const refunds = bug('engine/domain/bill/bill-refund-decide.ts', ['test/engine/domain/bill/refund.test.ts'])
const redeliveries = bug('engine/domain/bill/redelivery-decide.ts', [
  'test/engine/domain/bill/redelivery.test.ts',
  'test/engine/domain/bill/refund.test.ts',
])
const topUps = bug('engine/domain/cash-request/top-up-decide.ts', [
  'test/engine/domain/cash-request/cash-request.test.ts',
  'test/engine/domain/cash-request/cash-request-dual-control.test.ts',
])
const contacts = bug('engine/domain/contact/contact-decide.ts', ['test/http/api/contacts/contacts.test.ts'])
const problems = bug('engine/domain/problem/problem-decide.ts', [
  'test/engine/domain/problem/problem.test.ts',
  'test/http/api/problems/problems.test.ts',
])
const problemPayments = bug('engine/domain/wallet-payment.ts', ['test/engine/domain/problem/problem.test.ts'])
const ACCOUNTS = ['test/http/api/withdrawals/withdrawal-accounts.test.ts']
const savedAccounts = bug('engine/domain/cash-request/withdrawal-account-decide.ts', ACCOUNTS)
const withdrawals = bug('engine/domain/cash-request/withdrawal-decide.ts', ACCOUNTS)

export const PEOPLE_BUGS: readonly PlantedBug[] = [
  pins('a right PIN opens a locked wallet', "  if (counts.locked_until_ms > context.timeMs) return { refusal: 'pin_locked' }\n", ''),
  pins('a PIN that was changed meanwhile is right', 'if (ok && generation === state.auth.pin(account).generation) {', 'if (ok) {'),
  pins('a guesser has one attempt more', 'if (failures < PIN_ATTEMPTS_MAX) {', 'if (failures <= PIN_ATTEMPTS_MAX) {'),
  pins('the time of a lock does not grow', 'PIN_LOCK_MS * 2 ** counts.locks', 'PIN_LOCK_MS'),
  pins('a lock of a device locks it alone', '  if (device !== null) events.push(lockedWithDevice(state, account, lockedUntilMs))\n', ''),
  pins(
    'a new PIN leaves the sessions of other devices open',
    "    ...others.map((device) => revokedEvent(device, 'pin_changed', context)),\n",
    '',
  ),
  checks('parallel guesses are not counted', 'if (counts.failures + guesses.size >= PIN_ATTEMPTS_MAX) return TOO_MANY', ''),
  checks('a locked wallet is compared', '    if (lockedMs > 0) return lockedVerdict(lockedMs)\n', ''),
  checks('PINs are checked on a full disk', '    if (!this.#canWrite()) return BUSY\n', ''),
  codes(
    'a code is valid for ever',
    'if (challenge === undefined || challenge.expires_at_ms <= context.timeMs)',
    'if (challenge === undefined)',
  ),
  codes('a code of a payment opens a sign-in', 'if (challenge.purpose !== purpose || challenge.identifier', 'if (challenge.identifier'),
  codes('a code pays another charge', ' || challenge.subject !== subject) {', ') {'),
  codes(
    'a code may be guessed without end',
    "  if (challenge.failures >= OTP_CHECKS_MAX) return { refusal: 'otp_attempts_exceeded' }\n",
    '',
  ),
  codes(
    'a code is used twice',
    'return grant(state, { purpose, phone: identifier, tokenHash: command.tokenHash }, context, [used])',
    'return grant(state, { purpose, phone: identifier, tokenHash: command.tokenHash }, context, [])',
  ),
  codes(
    'codes are sent without a maximum',
    "  if (counted.some((send) => sendWaitMs(state, send, timeMs) > 0)) return { refusal: 'rate_limited' }\n",
    '',
  ),
  codes(
    'a phone that has a wallet signs up again',
    "    if (wallet !== undefined) return denied(environment, before, 'phone_taken')\n",
    '',
  ),
  transfers(
    'a blocked wallet sends',
    "  if (state.wallets.byAccount(sender)?.blocked === true) return { refusal: 'wallet_blocked' }\n",
    '',
  ),
  transfers('a blocked wallet receives', "  if (wallet.blocked) return { refusal: 'recipient_blocked' }\n", ''),
  transfers(
    'a transfer has no balance to come from',
    "  if (rules.isShort('transfer', sender, wallet.account, amount)) return { refusal: 'insufficient_balance' }\n",
    '',
  ),
  movements(
    'a wallet exceeds its ceiling by a transfer',
    'if (this.#isPayeeOver(type, credit, amount)) return PAYEE',
    "if (type !== 'transfer' && this.#isPayeeOver(type, credit, amount)) return PAYEE",
  ),
  bills('a blocked wallet pays a bill', "  if (wallet.blocked) return { refusal: 'wallet_blocked' }\n", ''),
  bills(
    'a bill is paid without balance',
    "  if (rules.isShort('bill', payer, merchant, amount)) return { refusal: 'insufficient_balance' }\n",
    '',
  ),
  bills('code of a paid bill is not queued', "fulfillment: definition.fulfillment_mode === 'code' ? PENDING : NONE,", 'fulfillment: NONE,'),
  refunds(
    'a bill is refunded twice',
    "  if (outcomeOf(state, context.past, payment).state === 'refunded') return { refusal: 'bill_already_refunded' }\n",
    '',
  ),
  refunds('a refund of a bill spends what is held', 'if (!rules.coversRefund(movement))', 'if (state.accounts.balance(merchant) < amount)'),
  redeliveries(
    'code that has succeeded runs again',
    "  if (outcome.fulfillment.state === 'succeeded' && !force) return { refusal: 'already_fulfilled' }\n",
    '',
  ),
  redeliveries(
    'code that runs is queued again',
    "  if (state.bills.fulfilling.get(payment.charge_id)?.has_started === true) return { refusal: 'fulfillment_running' }\n",
    '',
  ),
  redeliveries('a refunded bill is delivered', "  if (outcome.state === 'refunded') return { refusal: 'bill_already_refunded' }\n", ''),
  topUps(
    'a top-up is confirmed twice',
    "  if (request.state !== 'requested') return { refusal: 'request_not_open' }\n  if (approval === undefined",
    '  if (approval === undefined',
  ),
  topUps('a top-up credits the announced amount', 'const amount = command.amount ?? request.amount', 'const amount = request.amount'),
  topUps(
    'a merchant confirms the top-up of another',
    '(merchant !== null && found.account !== merchant)',
    '(merchant !== null && found.account < 0)',
  ),
  topUps(
    'one operator alone confirms',
    'const asked = merchant === null ? askSecondPerson(state, found, command, movement, context) : null',
    'const asked = null as ReturnType<typeof askSecondPerson> | null',
  ),
  withdrawals(
    'a new account is paid at once',
    "  if (row !== null && parseRfc3339(row.saved.usable_from) > timeMs) return 'account_not_usable_yet'\n",
    '',
  ),
  contacts(
    'a recipient stands twice among the contacts',
    "if (state.contacts.byRecipient(merchant, recipient) !== undefined) return { refusal: 'contact_exists' }",
    '',
  ),
  contacts('the contact of another merchant is replaced', 'return row?.account === merchant ? row : null', 'return row ?? null'),
  problems(
    'a payment has two open problems',
    "  if (state.problems.open.get(fields.transaction_id) !== undefined) return { refusal: 'problem_open' }\n",
    '',
  ),
  problems('a wallet opens problems without a bound', 'quotaRefusal(state, OPEN_PROBLEMS, customer) ?? ', ''),
  problems(
    'another merchant answers a problem',
    "found.type !== 'problem.opened' || found.account !== merchant",
    "found.type !== 'problem.opened'",
  ),
  problemPayments(
    'a stranger writes about a payment',
    'return isOwn ? payment : null',
    'return isOwn || payment !== null ? payment : null',
  ),
  savedAccounts('the account of another merchant is paid', 'return row?.merchant === merchant ? row : null', 'return row ?? null'),
]
