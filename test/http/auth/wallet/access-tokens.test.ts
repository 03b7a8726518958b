// Access tokens against forgers: a token that Cauri did not issue, or that has expired, is rejected.
import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { ACCESS_TOKEN_LIFETIME_S, AccessTokens } from '../../../../http/auth/wallet/access-tokens.ts'
import { KEY_AGE_MAX_MS, KEYS_FILE, TokenKeys, TokenKeysError } from '../../../../http/auth/wallet/token-keys.ts'
import { Seal } from '../../../../http/crypto/seal.ts'
import { newFolder } from '../../../support/memory-engine.ts'

const START_MS = 1_790_000_000_000
const CLAIMS = { userId: '01a1fbec-f92d-7000-825e-ba9c9131db53', sessionId: '01a1fbec-f92d-7002-91b4-15db1c6c3fdf' }

const folder = newFolder()
const seal = new Seal(new Uint8Array(32))
let nowMs = START_MS
const now = (): number => nowMs
let keys: TokenKeys
let tokens: AccessTokens

before(() => {
  keys = new TokenKeys({ dataDir: folder.path, seal, now })
  tokens = new AccessTokens(keys, now)
})

after(() => folder.remove())

/** One that has seen no token yet, as after a restart. */
function newServer(): AccessTokens {
  return new AccessTokens(new TokenKeys({ dataDir: folder.path, seal, now }), now)
}

function goodHeader(): JWTHeaderParameters {
  return { alg: 'HS256', typ: 'at+jwt', kid: keys.signing().kid }
}

function goodPayload(): JWTPayload {
  const iat = Math.floor(nowMs / 1000)
  return { iss: 'cauri', aud: 'cauri-wallet', sub: CLAIMS.userId, sid: CLAIMS.sessionId, iat, exp: iat + ACCESS_TOKEN_LIFETIME_S }
}

function forge(header: Partial<JWTHeaderParameters>, payload: JWTPayload, secret: Uint8Array = keys.signing().secret): Promise<string> {
  const { sub: _sub, ...rest } = payload
  const whole = 'sub' in payload ? payload : rest
  return new SignJWT(whole).setProtectedHeader({ ...goodHeader(), ...header } as JWTHeaderParameters).sign(secret)
}

describe('an access token', () => {
  it('an access token is known at once, and good for another process on the same folder', async () => {
    const token = await tokens.issue(CLAIMS)
    assert.equal(tokens.known(token)?.sessionId, CLAIMS.sessionId)
    const other = newServer()
    assert.equal(other.known(token), null)
    const { userId, sessionId } = (await other.verify(token)) ?? {}
    assert.deepEqual({ userId, sessionId }, CLAIMS)
    assert.equal(other.known(token)?.sessionId, CLAIMS.sessionId)
  })

  it('an access token made by hand the same way is good: the forgeries below fail for what they change', async () => {
    assert.ok((await newServer().verify(await forge({}, goodPayload()))) !== null)
  })

  it('an access token is good for an hour, to the second, in the cache and out of it', async () => {
    const token = await tokens.issue(CLAIMS)
    nowMs += (ACCESS_TOKEN_LIFETIME_S - 1) * 1000
    assert.ok(tokens.known(token) !== null)
    assert.ok((await newServer().verify(token)) !== null)
    nowMs += 1000
    assert.equal(tokens.known(token), null)
    assert.equal(await tokens.verify(token), null)
    assert.equal(tokens.known(token), null)
  })

  it('an access token stays good when the cache has lost it', async () => {
    const small = new AccessTokens(keys, now, 2)
    const issued = [
      await small.issue(CLAIMS),
      await small.issue({ ...CLAIMS, sessionId: 'b' }),
      await small.issue({ ...CLAIMS, sessionId: 'c' }),
    ]
    assert.equal(small.cachedCount, 2)
    assert.equal(small.known(issued[0] ?? ''), null)
    assert.ok((await small.verify(issued[0] ?? '')) !== null)
    assert.equal(small.cachedCount, 2)
  })
})

describe('a forged token', () => {
  const other = Buffer.alloc(32, 9)
  const iat = START_MS / 1000
  const rows: readonly { name: string; make: () => Promise<string> }[] = [
    { name: 'another key under our name', make: () => forge({}, goodPayload(), other) },
    { name: 'a key that is not there', make: () => forge({ kid: 'nobody' }, goodPayload(), other) },
    {
      name: 'no key name',
      make: () => new SignJWT(goodPayload()).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(keys.signing().secret),
    },
    { name: 'a key name that leads out of the list', make: () => forge({ kid: '../../etc/passwd' }, goodPayload(), other) },
    { name: 'no signature', make: () => Promise.resolve(new UnsecuredJWT(goodPayload()).encode()) },
    { name: 'no signature under our name', make: async () => unsigned({ ...goodHeader(), alg: 'none' }, goodPayload()) },
    { name: 'alg nOnE', make: async () => unsigned({ ...goodHeader(), alg: 'nOnE' }, goodPayload()) },
    {
      name: 'another algorithm with our key',
      make: () => forge({ alg: 'HS512' }, goodPayload(), Buffer.concat([keys.signing().secret, Buffer.alloc(32)])),
    },
    { name: 'a public-key algorithm with its key beside it', make: forgeWithOwnKey },
    { name: 'another type', make: () => forge({ typ: 'JWT' }, goodPayload()) },
    { name: 'no type', make: () => forge({ typ: '' }, goodPayload()) },
    { name: 'another issuer', make: () => forge({}, { ...goodPayload(), iss: 'other' }) },
    { name: 'another audience', make: () => forge({}, { ...goodPayload(), aud: 'cauri-merchant' }) },
    { name: 'no subject', make: () => forge({}, without('sub')) },
    { name: 'no session', make: () => forge({}, without('sid')) },
    { name: 'a session that is no text', make: () => forge({}, { ...goodPayload(), sid: 7 }) },
    { name: 'no expiry', make: () => forge({}, without('exp')) },
    { name: 'no time of issue', make: () => forge({}, without('iat')) },
    { name: 'expired', make: () => forge({}, { ...goodPayload(), exp: Math.floor(nowMs / 1000) - 1 }) },
    { name: 'of the future', make: () => forge({}, { ...goodPayload(), iat: Math.floor(nowMs / 1000) + 60 }) },
    { name: 'old with a far expiry', make: () => forge({}, { ...goodPayload(), iat: iat - 7200, exp: iat + 1e9 }) },
    { name: 'not yet good', make: () => forge({}, { ...goodPayload(), nbf: Math.floor(nowMs / 1000) + 60 }) },
    {
      name: 'a critical extension',
      make: () => forge({ crit: ['x'], x: 1 } as never, goodPayload()).catch(() => crafted({ crit: ['x'], x: 1 })),
    },
    { name: 'empty', make: () => Promise.resolve('') },
    { name: 'two dots', make: () => Promise.resolve('..') },
    { name: 'no JSON', make: () => Promise.resolve('AAAA.BBBB.CCCC') },
    { name: 'too long', make: async () => `${await tokens.issue(CLAIMS)}${'A'.repeat(2000)}` },
    { name: 'five parts', make: async () => `${await tokens.issue(CLAIMS)}.A.B` },
  ]

  for (const { name, make } of rows) {
    it(`a forged token is nothing: ${name}`, async () => {
      const token = await make()
      const server = newServer()
      assert.equal(await server.verify(token), null)
      assert.equal(server.known(token), null)
    })
  }

  it('a forged token is nothing with any one character of a valid one changed', async () => {
    const token = await tokens.issue(CLAIMS)
    const server = newServer()
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'Q' : 'A') + token.slice(at + 1)
      const claims = await server.verify(changed)
      // The last character of a base64url part holds bits that mean nothing; the same bytes are the same token.
      assert.ok(claims === null || sameBytes(changed, token), `character ${at}`)
    }
  })

  function without(name: string): JWTPayload {
    const { [name]: _, ...rest } = goodPayload()
    return rest
  }

  /** Signed by our own key, with a head that the library would not write. */
  async function crafted(more: object): Promise<string> {
    const { createHmac } = await import('node:crypto')
    const text = `${encoded({ ...goodHeader(), ...more })}.${encoded(goodPayload())}`
    return `${text}.${createHmac('sha256', keys.signing().secret).update(text).digest('base64url')}`
  }

  async function forgeWithOwnKey(): Promise<string> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    return new SignJWT(goodPayload())
      .setProtectedHeader({ ...goodHeader(), alg: 'RS256', jwk, jku: 'https://evil.example/keys' })
      .sign(privateKey)
  }
})

describe('token keys', () => {
  it('token keys are made once, for their owner alone, and stand nowhere in clear', () => {
    const first = new TokenKeys({ dataDir: folder.path, seal, now }).signing()
    const path = join(folder.path, KEYS_FILE)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const text = readFileSync(path, 'utf8')
    assert.match(text, /^sealed:v1:/)
    assert.ok(!text.includes(first.secret.toString('base64')) && !text.includes(first.kid))
    assert.deepEqual(new TokenKeys({ dataDir: folder.path, seal, now }).signing(), first)
  })

  it('token keys change after a while; the one before is good for what it signed, the one before that is gone', async () => {
    const own = newFolder()
    try {
      const ring = new TokenKeys({ dataDir: own.path, seal, now })
      const server = new AccessTokens(ring, now)
      const first = ring.signing()
      nowMs += KEY_AGE_MAX_MS - 1000
      const token = await server.issue(CLAIMS)
      nowMs += 1000
      const second = ring.signing()
      assert.notEqual(second.kid, first.kid)
      assert.ok((await new AccessTokens(new TokenKeys({ dataDir: own.path, seal, now }), now).verify(token)) !== null)
      nowMs += KEY_AGE_MAX_MS
      ring.signing()
      assert.equal(ring.named(first.kid), null)
      assert.ok(ring.named(second.kid) !== null)
    } finally {
      own.remove()
    }
  })

  it('token keys are new after a rotation of the master key, and those from before verify nothing', () => {
    const own = newFolder()
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    try {
      const { kid } = new TokenKeys({ dataDir: own.path, seal: new Seal(first), now }).signing()
      const rotated = new TokenKeys({ dataDir: own.path, seal: new Seal(first, second), now })
      assert.equal(rotated.named(kid), null)
      const again = new TokenKeys({ dataDir: own.path, seal: new Seal(first, second), now })
      assert.equal(again.signing().kid, rotated.signing().kid)
    } finally {
      own.remove()
    }
  })

  it('token keys that are damaged, or sealed under another key, differ from missing ones', () => {
    const own = newFolder()
    try {
      new TokenKeys({ dataDir: own.path, seal, now })
      const other = new Seal(Buffer.alloc(32, 3))
      assert.throws(() => new TokenKeys({ dataDir: own.path, seal: other, now }), TokenKeysError)
      writeFileSync(join(own.path, KEYS_FILE), 'sealed:v1:AAAA')
      assert.throws(() => new TokenKeys({ dataDir: own.path, seal, now }), /restore it from a backup, or remove it/)
    } finally {
      own.remove()
    }
  })
})

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function unsigned(header: object, payload: object): string {
  return `${encoded(header)}.${encoded(payload)}.`
}

function sameBytes(one: string, other: string): boolean {
  const bytes = (token: string): string =>
    token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('hex'))
      .join('.')
  return bytes(one) === bytes(other)
}
