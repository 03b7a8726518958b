// Bugs that show where two conditions meet, between two bounds, after many successes, or beyond the first page.
import type { PlantedBug } from '../bug.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const PUSHES = ['test/http/workers/gateways/pushes.test.ts']
const deliverer = bug('http/workers/webhooks/deliverer.ts', ['test/http/workers/webhooks/deliverer.test.ts'])
const outbox = bug('http/workers/gateways/outbox.ts', ['test/http/workers/gateways/outbox.test.ts', ...PUSHES])
const fulfiller = bug('http/workers/fulfillment/fulfiller.ts', ['test/http/workers/fulfillment/starts-and-stops.test.ts'])
const CALLED = ['test/engine/domain/bill/redelivery.test.ts', 'test/http/workers/fulfillment/fulfiller.test.ts']
const calls = bug('engine/domain/bill/bill-evolve.ts', CALLED)
const callers = bug('http/workers/fulfillment/fulfiller.ts', CALLED)
const pushes = bug('http/workers/gateways/push.ts', PUSHES)
const lists = bug('http/client/src/list.ts', ['test/http/client/list.test.ts'])
const retries = bug('http/client/src/retry-plan.ts', ['test/http/client/retry-plan.test.ts'])
const mandateTimes = bug('engine/domain/mandate/mandate-times.ts', ['test/engine/domain/mandate/mandate.test.ts'])
const secondFactors = bug('engine/domain/dashboard/totp-decide.ts', ['test/engine/domain/members.test.ts'])
const secondFactorRows = bug('engine/domain/dashboard/dashboard-evolve.ts', ['test/engine/domain/members.test.ts'])
const signUps = bug('engine/domain/auth/signup-decide.ts', ['test/engine/domain/auth/sign-up.test.ts'])
const counters = bug('http/server/threads/thread-counters.ts', ['test/http/server/threads/thread-counters.test.ts'])
const search = bug('engine/query/search.ts', ['test/engine/query/search-page.test.ts'])
const merchantStreams = bug('http/api/stream/merchant-hub.ts', ['test/http/api/stream/merchant-hub.test.ts'])
const receipts = bug('http/pages/dashboard/shared/receipt.ts', ['test/pages/dashboard-receipts.test.ts'])
const signUpRows = bug('engine/domain/auth/auth-state.ts', ['test/engine/domain/auth/sign-up.test.ts'])
const LINES = ['test/engine/query/disbursement-line-queries.test.ts']
const lines = bug('engine/query/disbursement-line-queries.ts', LINES)
const lineTurns = bug('engine/domain/disbursement/disbursement-advance-decide.ts', LINES)

export const CONDITION_BUGS: readonly PlantedBug[] = [
  lines(
    'of lines of a disbursement, a block with one invalid one is skipped',
    'this.#invalid[block] !== 0',
    '(this.#invalid[block] ?? 0) > 1',
  ),
  lines('of lines of a disbursement, failed ones behind the 32nd of a block are paid', 'place < 32 ? low : high', 'low'),
  lines(
    'of lines of a disbursement, a block with a failed one has no paid one',
    'bitsOf(failed) < eventIndexOf(position)',
    'bitsOf(failed) === 0',
  ),
  lines('of lines of a disbursement, the turn after a stop counts on', '[at, decided] = [at + 1, 0]', 'at++'),
  lineTurns(
    'of lines of a disbursement, failed ones are counted from the first of their turn',
    'const place = index % LINES_PER_BLOCK',
    'const place = at',
  ),
  deliverer('a start takes the first page of open deliveries alone', 'if (rows.length < DELIVERIES_PER_READ) break', 'break'),
  outbox('a start takes the first page of open messages alone', 'offset === rows.length; offset +=', 'offset === 0; offset +='),
  outbox('a push that was taken makes room for a failed one', 'if (mayGoOn) this.#failedPushes--', 'this.#failedPushes--'),
  fulfiller(
    'a start takes the first page of bills alone',
    'if (last === undefined || rows.length < limit) return',
    'if (last === undefined || after === null) return',
  ),
  calls('code that has called runs again after a crash', '{ ...row, has_called: true }', 'row'),
  callers(
    'code of a refunded payment calls',
    "return (await this.#submit({ type: 'MarkFulfillmentCall', merchant, chargeId }, merchant)) === 'ok'",
    "return (await this.#submit({ type: 'MarkFulfillmentCall', merchant, chargeId }, merchant)) !== null",
  ),
  pushes('a push is in English where one of several apps prefers it', 'languages.length > 0 && languages.every(', 'languages.some('),
  pushes(
    'the app that sent its token first chooses the language of a push',
    "languages.length > 0 && languages.every((language) => language === 'en')",
    "languages[0] === 'en'",
  ),
  lists(
    "a list begun at the caller's cursor asks for the same page for ever",
    'cursor: cursor ?? sent.cursor',
    'cursor: sent.cursor ?? cursor',
  ),
  retries(
    'a Retry-After is waited for up to the ceiling of the backoff',
    'backoff : retryAfterMs + random()',
    'backoff : Math.min(retryAfterMs, ceilingMs) + random()',
  ),
  retries('a number that is no count of seconds is a date', 'DATE.test(text) ? Date.parse(text) : Number.NaN', 'Date.parse(text)'),
  mandateTimes(
    'a pending mandate with an end of its own has no time to be approved in',
    'return endMs === null ? approvalEndMs : Math.min(endMs, approvalEndMs)',
    'return endMs ?? approvalEndMs',
  ),
  secondFactors(
    'the code that turned the second factor on opens a session',
    'const enabled = { user_id: userId, last_step: step, recovery }',
    'const enabled = { user_id: userId, last_step: step - 1, recovery }',
  ),
  secondFactors('a time step opens two sessions', 'factor.step > totp.last_step', 'factor.step >= totp.last_step'),
  secondFactorRows(
    'a recovery code makes the last time step good again',
    'last_step: last_step ?? totp.last_step',
    'last_step: last_step ?? 0',
  ),
  signUps(
    'an expired sign-up keeps its tag until its row is dropped',
    ' && other.token_hash !== signup.token_hash && other.expires_at_ms > nowMs',
    ' && other.token_hash !== signup.token_hash',
  ),
  signUpRows(
    'the row of an expired sign-up takes the tag of the next one with it',
    'if (before !== undefined && this.#tags.get(tagKey(before)) === before) this.#tags',
    'if (before !== undefined) this.#tags',
  ),
  counters(
    'connections of an HTTP thread that has ended still count',
    'const word = thread * WORDS_PER_THREAD + IS_CLOSED\n    Atomics.store(this.#words, thread * WORDS_PER_THREAD + CONNECTIONS, 0)\n',
    'const word = thread * WORDS_PER_THREAD + IS_CLOSED\n',
  ),
  counters(
    'connections that an HTTP thread left count for the next one',
    '  begin(thread: number): void {\n    Atomics.store(this.#words, thread * WORDS_PER_THREAD + CONNECTIONS, 0)\n',
    '  begin(thread: number): void {\n',
  ),
  search('only a way that was cut has a next page', 'const hasMore = isCut || hits.length > shown.length', 'const hasMore = isCut'),
  search('a search by id ignores the period', 'position < below && timeMs >= createdFromMs && timeMs < createdToMs', 'position < below'),
  merchantStreams(
    'the stream of a revoked key lives until its heartbeat',
    "['api_key.', 'dashboard_', 'member']",
    "['dashboard_', 'member']",
  ),
  merchantStreams('the stream of a closed session lives until its heartbeat', "['api_key.', 'dashboard_', 'member']", "['api_key.']"),
  receipts('the text of a receipt has the time of the server', "timeStyle: 'short', timeZone: 'UTC' }", "timeStyle: 'short' }"),
]
