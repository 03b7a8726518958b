// ID tokens of another party, against a key server of our own on the loopback.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { FirebaseTokens } from '../../../../http/auth/wallet/firebase.ts'
import { OutboundCalls } from '../../../../http/outbound/outbound-calls.ts'
import { jsonFetcher } from '../../../../http/workers/gateways/json-calls.ts'

const PROJECT = 'cauri-test'
const ISSUER = `https://securetoken.google.com/${PROJECT}`
const PHONE = '+221770000001'
const START_MS = 1_790_000_000_000

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** As in production: an address of the settings may be private. */
const outbound = new OutboundCalls({ allowPrivate: false, onUnexpected: assert.ifError })
const fetchJson = jsonFetcher(outbound)

let server: Server
let url = ''
let pairs: Record<'one' | 'two', KeyPair>
/** Names of the keys that the server shows. */
let shown: ('one' | 'two')[] = ['one']
let answer: 'keys' | 'error' | 'text' | { readonly keys: readonly unknown[] } = 'keys'
let fetches = 0
let nowMs = START_MS
let tokens: FirebaseTokens

before(async () => {
  pairs = { one: await generateKeyPair('RS256', { extractable: true }), two: await generateKeyPair('RS256', { extractable: true }) }
  server = createServer((_request, response) => {
    fetches++
    if (typeof answer === 'object') return void response.end(JSON.stringify(answer))
    if (answer !== 'keys') return void response.writeHead(answer === 'error' ? 500 : 200).end('{"no":"keys"')
    void Promise.all(shown.map(async (kid) => ({ ...(await exportJWK(pairs[kid].publicKey)), kid, alg: 'RS256', use: 'sig' }))).then(
      (keys) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
})

after(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  shown = ['one']
  answer = 'keys'
  fetches = 0
  nowMs = START_MS
  tokens = new FirebaseTokens({ projectId: PROJECT, jwksUrl: url, issuer: ISSUER }, fetchJson, () => nowMs)
})

function goodPayload(): JWTPayload {
  const iat = nowMs / 1000 - 10
  return { iss: ISSUER, aud: PROJECT, sub: 'firebase-user', iat, exp: iat + 3600, auth_time: iat, phone_number: PHONE }
}

function sign(payload: JWTPayload, kid: 'one' | 'two' = 'one', header: object = {}): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(pairs[kid].privateKey)
}

describe('an ID token', () => {
  it('an ID token of the project gives its phone', async () => {
    assert.deepEqual(await tokens.verify(await sign(goodPayload())), { phone: PHONE })
  })

  const nowS = START_MS / 1000
  const BAD: readonly { name: string; payload: JWTPayload }[] = [
    { name: 'of another project', payload: { aud: 'other' } },
    { name: 'of another issuer', payload: { iss: 'https://securetoken.google.com/other' } },
    { name: 'that has expired', payload: { exp: nowS - 1 } },
    { name: 'of the future', payload: { iat: nowS + 60 } },
    { name: 'signed in in the future', payload: { auth_time: nowS + 60 } },
    { name: 'with an odd sign-in time', payload: { auth_time: 'yesterday' } },
    { name: 'without a subject', payload: { sub: '' } },
    { name: 'with a phone that is none', payload: { phone_number: '0770000001' } },
    { name: 'with a phone that is no text', payload: { phone_number: 221770000001 } },
  ]
  for (const { name, payload } of BAD) {
    it(`${name} is refused`, async () => {
      assert.equal(await tokens.verify(await sign({ ...goodPayload(), ...payload })), 'invalid')
    })
  }

  for (const claim of ['sub', 'iat', 'exp', 'phone_number', 'aud', 'iss']) {
    it(`an ID token without ${claim} is refused`, async () => {
      const { [claim]: _, ...rest } = goodPayload()
      assert.equal(await tokens.verify(await sign(rest)), 'invalid')
    })
  }

  it('an ID token signed otherwise is refused', async () => {
    const unsecured = new UnsecuredJWT(goodPayload()).encode()
    const shared = await new SignJWT(goodPayload()).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(Buffer.alloc(32, 1))
    const foreign = await new SignJWT(goodPayload()).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(pairs.two.privateKey)
    const withOwnKey = await sign(goodPayload(), 'two', { kid: 'one', jwk: await exportJWK(pairs.two.publicKey) })
    for (const token of [unsecured, shared, foreign, withOwnKey, '', 'a.b.c', 'A'.repeat(9000)]) {
      assert.equal(await tokens.verify(token), 'invalid')
    }
  })
})

describe('the provider’s keys', () => {
  it('the provider’s keys are asked for once, also by many at the same moment, and again after an hour', async () => {
    const token = await sign(goodPayload())
    await Promise.all(Array.from({ length: 10 }, () => tokens.verify(token)))
    await tokens.verify(token)
    assert.equal(fetches, 1)
    nowMs += 3_600_000
    await tokens.verify(await sign(goodPayload()))
    assert.equal(fetches, 2)
  })

  it('the provider’s keys are asked for when a new one appears, but not for every unknown name', async () => {
    await tokens.verify(await sign(goodPayload()))
    assert.equal(await tokens.verify(await sign(goodPayload(), 'two')), 'invalid', 'asked for a moment ago')
    assert.equal(fetches, 1)
    shown = ['one', 'two']
    nowMs += 30_000
    assert.deepEqual(await tokens.verify(await sign(goodPayload(), 'two')), { phone: PHONE })
    assert.equal(fetches, 2)
    for (let time = 0; time < 5; time++) {
      assert.equal(await tokens.verify(await sign(goodPayload(), 'one', { kid: `made-up-${time}` })), 'invalid')
    }
    assert.equal(fetches, 2)
  })

  for (const kind of ['error', 'text'] as const) {
    it(`the provider’s keys that cannot be had (${kind}) are reported as the provider’s fault, and the ones before stay good`, async () => {
      answer = kind
      const token = await sign(goodPayload())
      assert.equal(await tokens.verify(token), 'unavailable')
      assert.equal(await tokens.verify(token), 'unavailable')
      assert.equal(fetches, 1, 'a provider that is down is not called again and again')
      answer = 'keys'
      nowMs += 1000
      assert.deepEqual(await tokens.verify(token), { phone: PHONE })
      answer = kind
      nowMs += 3_600_000 - 60_000
      assert.deepEqual(await tokens.verify(await sign(goodPayload())), { phone: PHONE })
      nowMs += 120_000
      assert.deepEqual(await tokens.verify(await sign(goodPayload())), { phone: PHONE })
    })
  }

  const RSA = { kty: 'RSA', kid: 'one', alg: 'RS256' }
  const UNUSABLE: readonly (readonly [name: string, key: unknown])[] = [
    ['a number', 1],
    ['null', null],
    ['a list', []],
    ['a key without its numbers', RSA],
    ['a key of other types', { ...RSA, n: 5, e: {} }],
    ['an empty key', { ...RSA, n: '', e: '' }],
    ['a key of eight bits', { ...RSA, n: 'AQ', e: 'AQAB' }],
    ['a key of 512 bits', { ...RSA, n: Buffer.alloc(64, 0xab).toString('base64url'), e: 'AQAB' }],
  ]
  for (const [name, key] of UNUSABLE) {
    it(`the provider’s keys that hold ${name} are reported as the provider’s fault, and asked for again`, async () => {
      answer = { keys: [key] }
      assert.equal(await tokens.verify(await sign(goodPayload())), 'unavailable')
      answer = 'keys'
      nowMs += 30_000
      assert.deepEqual(await tokens.verify(await sign(goodPayload())), { phone: PHONE })
    })
  }
})
