// Bugs in what is found by a hash, compared as a secret, derived from a key, or passed on in order.
import type { PlantedBug } from '../bug.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const COLLISIONS = ['test/engine/query/hash-collisions.test.ts']
const collision = (file: string, name: string, from: string, to: string): PlantedBug => bug(file, COLLISIONS)(name, from, to)
const roots = bug('http/crypto/derived-key.ts', ['test/http/crypto/key-ring.test.ts'])
const seals = bug('http/crypto/seal.ts', ['test/http/crypto/seal.test.ts', 'test/http/crypto/key-ring.test.ts'])
const rings = bug('http/crypto/key-ring.ts', ['test/http/crypto/key-ring.test.ts', 'test/http/app/rotate-master-key.test.ts'])
const rotations = bug('http/app/rotate-master-key.ts', ['test/http/app/rotate-master-key.test.ts'])
const streams = bug('http/api/stream/wallet-stream.ts', [
  'test/http/api/stream/wallet-hub.test.ts',
  'test/http/api/stream/slow-readers.test.ts',
])
const hubs = bug('http/api/stream/wallet-hub.ts', ['test/http/api/stream/wallet-hub.test.ts'])
const accountSets = bug('http/api/stream/account-set.ts', ['test/http/api/stream/account-set.test.ts'])
const threads = bug('http/server/threads/byte-ring.ts', ['test/http/server/threads/byte-ring.test.ts'])
const codes = bug('http/api/checkout/checkout-codes.ts', ['test/http/api/checkout/parts.test.ts'])
const devices = bug('http/auth/dashboard/device-cookies.ts', ['test/http/auth/dashboard/device-cookies.test.ts'])
const redirects = bug('http/workers/hosted-code/hosted-fetch.ts', [
  'test/http/workers/hosted-code/hosted-fetch.test.ts',
  'test/http/workers/hosted-code/network.test.ts',
])
const peeks = bug('engine/actor/record-peek.ts', ['test/engine/actor/record-peek.test.ts'])
const batches = bug('engine/domain/payout/batch-events.ts', ['test/engine/actor/record-peek.test.ts'])

export const FINDER_BUGS: readonly PlantedBug[] = [
  collision(
    'engine/domain/charge/charge-versions.ts',
    'a charge is found by the hash of its token alone',
    '(token === undefined || payloadOf<Charge>(event).token === token)',
    '(token === undefined || token !== null)',
  ),
  collision(
    'engine/query/charge-search.ts',
    'a charge is found by the hash of its id alone',
    'return history.first(chargeByIdIndexKey(id), (hit) => isCreation(hit, account) && payloadOf<Charge>(hit.event).id === id)',
    'return history.first(chargeByIdIndexKey(id), (hit) => isCreation(hit, account))',
  ),
  collision(
    'engine/query/mandate-queries.ts',
    'a mandate is found by the hash of its token alone',
    '(event) => isCreation(event) && versionOf(event).mandate.token === token)',
    '(event) => isCreation(event))',
  ),
  collision(
    'engine/query/payout-queries.ts',
    'a payout is found by the hash of its id alone',
    '(found) => isPayoutOf(found, account) && payloadOf<Payout>(found.event).id === id)',
    '(found) => isPayoutOf(found, account))',
  ),
  collision(
    'engine/query/webhook-event-queries.ts',
    'a webhook event is found by the hash of its id alone',
    'event.account === account && merchantEventOf(event, history)?.id === id',
    'event.account === account && merchantEventOf(event, history) !== null',
  ),
  bug('engine/domain/bill/bill-versions.ts', ['test/engine/domain/bill/quotes.test.ts', ...COLLISIONS])(
    'a quote is found by the hash of its id alone',
    '(event) => quoteIdOf(event) === use.id)',
    '(event) => quoteIdOf(event) !== undefined)',
  ),
  bug('engine/query/biller-history.ts', ['test/engine/query/biller-history.test.ts'])(
    'the last decision is that of any biller with the hash',
    "return profile.slug === slug && (event.type !== 'biller.approved' || profile.live)",
    "return event.type !== 'biller.approved' || profile.live",
  ),
  bug('engine/query/biller-history.ts', ['test/engine/query/biller-history.test.ts'])(
    'a version of a product is that of any biller with the hash',
    'return version.biller === biller && version.slug === slug && ',
    'return version.slug === slug && ',
  ),
  bug('http/pages/shared/api-calls.ts', ['test/http/pages/shared/api-calls.test.ts'])(
    'a page shows what is not durable yet',
    'request.core.engine.whenDurable(() =>\n    answer(request, status, String(body), retryAfter === undefined ? null : Number(retryAfter), request.isReplay),\n  )',
    'answer(request, status, String(body), retryAfter === undefined ? null : Number(retryAfter), request.isReplay)',
  ),
  streams(
    'a reader that comes back gets a frame twice',
    'const known = this.#lastId === null ? 0 : Math.max(0, this.#lastId + 1 - firstId)',
    'const known = 0',
  ),
  hubs('an account with an open stream is no reader', '    this.#readers.add(stream.account)\n', ''),
  hubs(
    'an account is no reader once the first of its streams has ended',
    '    if (rest.length > 0) this.#byAccount.set(stream.account, rest)\n    else {',
    '    if (rest.length > 0) this.#byAccount.set(stream.account, rest)\n    {',
  ),
  accountSets('accounts share the bits of a set', '| (1 << (account & 7))', '| (1 << (account & 3))'),
  accountSets('a set of accounts that grows loses those before', '      grown.set(this.#bits)\n', ''),
  streams(
    'a reader that stalled misses what came meanwhile',
    "    if (this.#mode === 'live' && this.#behindBytes > 0) this.#readOn()\n  }\n\n  #over",
    '  }\n\n  #over',
  ),
  streams(
    'a reader that takes nothing is never cut off',
    "else if (this.#mode === 'stalled' && nowMs - this.#stalledMs >= STALLED_MAX_MS) this.cut()",
    '',
  ),
  {
    ...threads(
      'a frame is written over the end of the ring',
      'if (need <= toEnd) return at + WORD_BYTES',
      'if (need <= toEnd + WORD_BYTES) return at + WORD_BYTES',
    ),
    hangs: true,
  },
  threads('a full ring overwrites what is not read', '      if (total > this.#free()) return -1\n', ''),
  { ...threads('the reader of a ring ends at its wrap', '      next = (next + capacity - at) >>> 0\n', ''), hangs: true },
  codes(
    'a checkout code is compared on half of its length',
    'const isNow = timingSafeEqual(shown, this.#mac(token, step))',
    'const isNow = timingSafeEqual(shown.subarray(0, 8), this.#mac(token, step).subarray(0, 8))',
  ),
  codes(
    'an expired checkout code is accepted',
    "return isNow || isBefore ? { token } : 'expired'",
    "return isNow || isBefore || !isNow ? { token } : 'expired'",
  ),
  devices(
    'a device cookie is compared on half of its signature',
    'timingSafeEqual(Buffer.from(signature), expected)',
    'timingSafeEqual(Buffer.from(signature).subarray(0, 8), expected.subarray(0, 8))',
  ),
  devices('a device cookie never expires', 'return Number(expiresS) * 1000 > this.#parts.now() ? nonce : null', 'return nonce'),
  bug('http/server/route-guards.ts', ['test/http/server/csrf-token.test.ts'])(
    'a CSRF token is compared on half of its length',
    'return one.length === other.length && timingSafeEqual(one, other)',
    'return one.length === other.length && timingSafeEqual(one.subarray(one.length >> 1), other.subarray(other.length >> 1))',
  ),
  bug('http/auth/dashboard/password-check.ts', ['test/http/auth/dashboard/password-check.test.ts'])(
    'an unknown address is answered without a hash',
    'const matches = await this.#matches(password, user?.password_hash ?? NO_USER_HASH, this.#order(user, owner, address))',
    'const matches = user === null ? false : await this.#matches(password, user.password_hash, this.#order(user, owner, address))',
  ),
  bug('http/auth/wallet/token-keys.ts', ['test/http/auth/wallet/access-tokens.test.ts'])(
    'token keys outlive a rotation of the master key',
    'return this.#seal.isNewest(text.trim()) ? keys : []',
    'return keys',
  ),
  redirects(
    'credentials follow a redirect to another origin',
    '!(leavesOrigin && OF_THE_ORIGIN.has(name))',
    'name !== leavesOrigin.toString()',
  ),
  {
    ...redirects(
      'the address of a redirect is not checked',
      'rule: OUTBOUND_RULES.hostedFetch, ...hop',
      'rule: redirects === 0 ? OUTBOUND_RULES.hostedFetch : OUTBOUND_RULES.keys, ...hop',
    ),
    tests: ['test/http/workers/hosted-code/network.test.ts'],
  },
  redirects(
    'a redirect of a POST is sent as a POST',
    "(status === 301 || status === 302) && hop.method === 'POST'",
    "status === 301 && hop.method === 'POST'",
  ),
  roots('access tokens are signed under the first root key', "'access-token': 'newest',", "'access-token': 'first',"),
  roots('a rotation changes the default webhook secret', "'webhook-secret': 'first',", "'webhook-secret': 'newest',"),
  seals(
    'the name of the field is not authenticated',
    'cipher = createCipheriv(CIPHER, this.#keys[this.#newest] as Buffer, nonce).setAAD(Buffer.from(field))',
    "cipher = createCipheriv(CIPHER, this.#keys[this.#newest] as Buffer, nonce).setAAD(Buffer.from(''))",
  ),
  seals(
    'a value is sealed under the first root key after a rotation',
    'this.#keys[this.#newest] as Buffer, nonce)',
    'this.#keys[0] as Buffer, nonce)',
  ),
  rings('any master key opens a ring that was never rotated', '|| !timingSafeEqual(given, expected)) return null', ') return null'),
  rings('the new master key is the new root key', '[...roots, randomBytes(MASTER_KEY_BYTES)]', '[...roots, newMasterKey]'),
  rotations(
    'a rotation replaces the key of the folder before its ring',
    "    replaceFile(path, `${ring}\\n`)\n    onStep('ring_replaced')\n    moveFile(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE))\n    onStep('key_replaced')\n",
    "    moveFile(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE))\n    onStep('ring_replaced')\n    replaceFile(path, `${ring}\\n`)\n    onStep('key_replaced')\n",
  ),
  rotations('a rotation drops the older root keys', 'return rotatedKeyRing(roots, to)', 'return rotatedKeyRing([roots[0]], to)'),
  peeks(
    'a reference that looks like the end of a transaction is taken for one',
    'while (bytes[at + NEXT_TRANSACTION.length] === COMMA)',
    'while (false)',
  ),
  peeks(
    'a reference that ends as the type of a packed event is taken for one',
    "if (bytes.toString('latin1', at - before, at) === text.slice(0, before)) return at - before",
    'return at - before',
  ),
  peeks(
    'a payout of a batch has the transaction before its own',
    'if (index === eventIndex) return',
    'if (index === eventIndex - 1) return',
  ),
  batches('a malformed line of a batch counts as a payout', 'bytes[at + 1] === QUOTE && payouts++', 'payouts++'),
]
