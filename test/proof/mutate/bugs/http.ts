// Bugs in secrets, sessions, outgoing calls, lists and limits.
import type { PlantedBug } from '../bug.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const signatures = bug('http/workers/webhooks/verify-signature.ts', ['test/http/workers/webhooks/signatures.test.ts'])
const keys = bug('http/auth/keys/api-keys.ts', ['test/http/auth/keys/api-keys.test.ts', 'test/e2e/access.test.ts'])
const operators = bug('http/auth/operator/operator.ts', ['test/http/auth/operator/operator.test.ts', 'test/e2e/operator.test.ts'])
const desk = bug('http/auth/operator/operator-sessions.ts', [
  'test/http/auth/operator/operator-sessions.test.ts',
  'test/pages/operator-guard.test.ts',
])
const tokens = bug('http/auth/wallet/access-tokens.ts', ['test/http/auth/wallet/access-tokens.test.ts'])
const totp = bug('http/auth/dashboard/totp.ts', ['test/http/auth/dashboard/totp.test.ts'])
const csv = bug('http/lists/csv-text.ts', ['test/http/lists/csv-text.test.ts', 'test/http/lists/csv.test.ts'])
const files = (name: string) => bug(`http/client/src/payment-file/${name}.ts`, ['test/http/client/payment-file/payment-file.test.ts'])
const fileDecimals = (name: string) =>
  bug(`http/client/src/payment-file/${name}.ts`, ['test/http/client/payment-file/file-decimals.test.ts'])
const totals = bug('http/pages/dashboard/lists/list-totals.ts', ['test/http/pages/dashboard/lists/list-totals.test.ts'])
const fileRows = bug('http/client/src/payment-file/file-rows.ts', ['test/http/client/payment-file/file-rows.test.ts'])
const addresses = bug('http/outbound/public-address.ts', ['test/http/outbound/forbidden.test.ts', 'test/http/outbound/calls.test.ts'])
const rules = bug('http/outbound/rules.ts', [
  'test/http/outbound/forbidden.test.ts',
  'test/http/outbound/calls.test.ts',
  'test/http/workers/lookups/lookups.test.ts',
])
const merchantAddresses = bug('http/outbound/merchant-addresses.ts', ['test/http/api/checkout/parts.test.ts'])
const HEADS = ['test/http/server/head-reader.test.ts']
const heads = bug('http/server/request-head.ts', HEADS)
const readers = bug('http/server/head-reader.ts', HEADS)
const rates = bug('http/server/rate-limit.ts', ['test/http/server/rate-limit.test.ts'])
const sites = bug('http/server/same-site.ts', [
  'test/pages/dashboard-forms.test.ts',
  'test/pages/operator-guard.test.ts',
  'test/http/auth/dashboard/sign-in.test.ts',
])
const deliveries = bug('engine/domain/webhook/delivery-decide.ts', ['test/engine/domain/webhook/deliveries.test.ts'])
const tickets = bug('http/api/stream/signed-tickets.ts', ['test/http/api/stream/signed-tickets.test.ts'])

export const HTTP_BUGS: readonly PlantedBug[] = [
  signatures(
    'a signature is compared on half of its length',
    "Buffer.from(candidate.slice('v1='.length), 'hex'), expected)",
    "Buffer.from(candidate.slice('v1='.length), 'hex').subarray(0, 16), expected.subarray(0, 16))",
  ),
  signatures('an old signature is valid', "<= toleranceS ? 'valid' : 'expired'", "<= Number.POSITIVE_INFINITY ? 'valid' : 'expired'"),
  signatures('the time is not signed', '.update(`${timeS}.`)', ''),
  signatures('only the first of two signatures counts', 'if (!matches.includes(true))', 'if (!matches[0])'),
  keys(
    'secrets are compared on a truncated length',
    'for (let at = 0; at < other.length; at++) difference',
    'for (let at = 0; at < other.length / 2; at++) difference',
  ),
  keys('a secret that is too short matches', 'let difference = one.length ^ other.length', 'let difference = 0'),
  keys('an empty secret is checked', "publicKey === '' || secret === '' || ", "publicKey === '' || "),
  operators(
    'any token is the operator',
    "return timingSafeEqual(hash('sha256', token ?? '', 'buffer'), this.#hash) && token !== null",
    'return token !== null',
  ),
  operators(
    'the operator token is compared on half of its hash',
    "timingSafeEqual(hash('sha256', token ?? '', 'buffer'), this.#hash)",
    "timingSafeEqual(hash('sha256', token ?? '', 'buffer').subarray(0, 2), this.#hash.subarray(0, 2))",
  ),
  operators('wrong tokens are not counted', "if (principal !== null || authorization === '') this", 'this'),
  desk('a session of the desk has no idle time', 'nowMs - seenMs >= IDLE_MAX_MS || ', ''),
  desk(
    'a session of the desk is compared on half of its signature',
    "timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#mac('session', signed))",
    "timingSafeEqual(bytes.subarray(SIGNED_BYTES, SIGNED_BYTES + 1), this.#mac('session', signed).subarray(0, 1))",
  ),
  desk(
    'a logout has no effect',
    "    if (this.#engine.query('results.known', { ...endOf(id), fingerprint: null }) !== null) return null\n",
    '',
  ),
  tokens('a token of another issuer is accepted', '        issuer: ISSUER,\n', ''),
  tokens('a token of another audience is accepted', '        audience: AUDIENCE,\n', ''),
  tokens('a known token never expires', 'if (claims.expiresAtMs > this.#now()) return claims', 'return claims'),
  tokens('a token may be older than an hour', '        maxTokenAge: ACCESS_TOKEN_LIFETIME_S,\n', ''),
  totp('a code of any form is compared', '  if (!CODE.test(code)) return null\n', ''),
  totp('codes are valid one step longer', 'step = now - WINDOW_STEPS; step', 'step = now - WINDOW_STEPS - 1; step'),
  csv(
    'a formula is exported as it is',
    'const safe = NEEDS_APOSTROPHE[separator].test(value) ? withoutFormulas(value, separator) : value',
    'const safe = value',
  ),
  csv('a quote in a field ends it', "safe.replaceAll('\"', '\"\"')", 'safe'),
  fileRows('a row with an open quote at the end of a step is read as it is', "error?.code === 'MissingQuotes' || ", ''),
  fileRows('the last line of a step may be cut', "text.lastIndexOf('\\n', at + stepLength - 1)", 'at + stepLength - 1'),
  files('payment-file')('an amount that a comma splits pays its first digits', '    split ??\n', ''),
  files('payment-file')('a phone is an amount where no row names the columns', 'String(digits).length >= PHONE_DIGITS_MIN ?', 'false ?'),
  files('file-amount')(
    'an amount with two readings has thousands',
    'return twoReadings(typed, first, last)',
    "return Number(first.replace(BLANKS, '') + last)",
  ),
  fileDecimals('file-amount')(
    'a whole amount of cedis is read at both doors',
    "if (isMajor === (unit === 'major')) return isMajor ? major : whole",
    "return unit === 'major' ? major : whole",
  ),
  fileDecimals('file-amount')(
    'decimals are taken for the smallest unit by programs',
    "if (places === 0 || unit === 'major') return read",
    'return read',
  ),
  fileDecimals('file-amount')('one decimal is hundredths', "decimals.padEnd(places, '0')", "decimals.padStart(places, '0')"),
  fileDecimals('split-amount')(
    'a comma splits decimals off, and the whole part is paid',
    '[THOUSANDS] : [THOUSANDS, DECIMALS]',
    '[THOUSANDS] : [THOUSANDS]',
  ),
  totals('an exact total goes on under other filters', 'kept?.list === list ? kept.sums : null', 'kept?.sums ?? null'),
  files('file-columns')(
    'the first of two columns of one name is paid',
    'missing.length > 0 || twice.length > 0 ||',
    'missing.length > 0 ||',
  ),
  addresses('the metadata address of a cloud is public', ' || METADATA.has(address)', ''),
  addresses('private addresses are public', "if (parsed.range() !== 'unicast') return false", ''),
  addresses('every IPv6 address is public', "return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6)", 'return true'),
  rules('a lookup may use plain http', "lookup: { reach: 'public', plainHttp: 'never'", "lookup: { reach: 'public', plainHttp: 'always'"),
  rules('a webhook may reach any address', "webhook: {\n    reach: 'public'", "webhook: {\n    reach: 'anywhere'"),
  merchantAddresses(
    'a redirect of a merchant may lead to any address',
    "  if (url.protocol === 'https:' || (environment === 'test' && url.hostname === 'localhost')) return null\n",
    "  if (url.host !== '') return null\n",
  ),
  bug('http/api/charges/charge-routes.ts', ['test/http/api/charges/merchant-api.test.ts'])(
    'the redirect of a charge is not checked',
    "redirect_url === '' ? null : redirectFault(redirect_url, environment)",
    "redirect_url === '' ? null : (null as ReturnType<typeof redirectFault>)",
  ),
  bug('http/api/mandates/mandate-routes.ts', ['test/http/api/mandates/merchant-api.test.ts'])(
    'the redirect of a mandate is not checked',
    "redirect_url === '' ? null : redirectFault(redirect_url, environment)",
    "redirect_url === '' ? null : (null as ReturnType<typeof redirectFault>)",
  ),
  heads('a head shows the key of the request before it', "    this.apiKey = ''\n", ''),
  readers('a head that is dropped twice belongs to two requests', '  head.isReused = false\n', ''),
  rates('an exhausted bucket is not refused', '< 1) return EXHAUSTED\n', '< 1) return 0\n'),
  rates(
    'a bucket fills without a maximum',
    'bucket.tokens = Math.min(perSecond, bucket.tokens + ',
    'bucket.tokens = Math.max(perSecond, bucket.tokens + ',
  ),
  sites(
    'a form of another site is accepted',
    "(fetchSite === '' || fetchSite === 'same-origin') && isOwnOrigin(call)",
    'isOwnOrigin(call)',
  ),
  sites('a form of another origin is accepted', ' || origin === `http://${host}`', ' || origin !== `http://${host}`'),
  deliveries('a delivery succeeds with a redirect', 'httpStatus >= 200 && httpStatus < 300', 'httpStatus >= 200 && httpStatus < 400'),
  deliveries('a receiver that is gone is asked again', 'const isOver = hasGone || ', 'const isOver = '),
  deliveries('Retry-After has no maximum', 'Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)', 'retryAfterMs ?? 0'),
  deliveries(
    'the event of another merchant is sent again',
    'recorded.account === merchant ? merchantEventOf(recorded, context.past) : null',
    'merchantEventOf(recorded, context.past)',
  ),
  tickets('a ticket opens two streams', "fingerprint: randomBytes(UUID_BYTES).toString('base64url')", "fingerprint: 'same'"),
  tickets('a ticket never expires', 'if (signed.readUInt32BE(UUID_BYTES) * 1000 <= this.#now()) return null', ''),
  tickets('a forged ticket is accepted', 'if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#mac(signed))) return null', ''),
]
