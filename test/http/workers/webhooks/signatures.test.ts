// Signatures: vectors that other implementations must meet too, what is refused, and which secret signs what.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Seal } from '../../../../http/crypto/seal.ts'
import { WEBHOOKS_ABOUT } from '../../../../http/openapi/webhook-prose.ts'
import { retryAfterMs } from '../../../../http/workers/webhooks/retry-after.ts'
import { WebhookSecrets } from '../../../../http/workers/webhooks/secrets.ts'
import { SIGNATURE_TOLERANCE_S, signatureHeader, signatureOf, verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import { openMerchant } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { openEndpoint, openWebhookSetup } from '../../../support/webhook-engine.ts'

const SECRET = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
const NOW_S = 1_763_632_800

/** Secret, time, body, v1: worked out with `printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"`. */
const VECTORS = [
  [SECRET, NOW_S, '{"type":"ping","data":{}}', 'fa75fbd968365f2db45efe085d308d614c921ad2ec4ce69c3d5d1f99d8d9c235'],
  [SECRET, NOW_S, '', '8323791ab1a4210c2d5e80c28409f745c1e349fca282bc878c6ce6a6e058134f'],
  ['é', 0, '{"é":"😀"}', '1399a3c75477e5b91408d77b89765da6976ad8d60ffdfe08b1f53a9dc874a651'],
] as const

describe('vectors', () => {
  test('signatures are those that OpenSSL computes', () => {
    for (const [secret, timeS, body, v1] of VECTORS) assert.equal(signatureOf(secret, timeS, body), v1)
  })

  test('bytes and text are the same thing, also beyond ASCII and beyond UTF-8', () => {
    const text = '{"name":"Fatoumata Koné — 5 000 F"}'
    assert.equal(signatureOf(SECRET, NOW_S, Buffer.from(text, 'utf8')), signatureOf(SECRET, NOW_S, text))
    const bytes = Buffer.from([0xff, 0x00, 0xfe])
    const expected = createHmac('sha256', SECRET)
      .update(Buffer.concat([Buffer.from(`${NOW_S}.`), bytes]))
      .digest('hex')
    assert.equal(signatureOf(SECRET, NOW_S, bytes), expected)
  })
})

test('the worked examples of the document and of the room’s README hold', () => {
  const readme = readFileSync(new URL('../../../../http/README.md', import.meta.url), 'utf8')
  for (const prose of [WEBHOOKS_ABOUT, readme]) {
    const [, secret = '', body = '', signature = ''] = /secret +(\S+)\nbody +(.+)\nsignature +(\S+)/.exec(prose) ?? []
    assert.equal(signatureHeader([secret], NOW_S, body), signature)
    assert.equal(verifySignature({ signature, body, secret, nowS: NOW_S }), 'valid')
  }
})

describe('verifying', () => {
  const body = '{"type":"charge.succeeded","data":{"amount":5000}}'
  const signature = signatureHeader([SECRET], NOW_S, body)

  test('verifying takes what was signed, within the tolerance either way', () => {
    for (const nowS of [NOW_S, NOW_S + SIGNATURE_TOLERANCE_S, NOW_S - SIGNATURE_TOLERANCE_S]) {
      assert.equal(verifySignature({ signature, body, secret: SECRET, nowS }), 'valid')
    }
    for (const nowS of [NOW_S + SIGNATURE_TOLERANCE_S + 1, NOW_S - SIGNATURE_TOLERANCE_S - 1]) {
      assert.equal(verifySignature({ signature, body, secret: SECRET, nowS }), 'expired')
    }
  })

  test('verifying takes either of two while a secret rotates', () => {
    const two = signatureHeader(['whsec_new', SECRET], NOW_S, body)
    assert.match(two, /^t=[0-9]+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    for (const secret of ['whsec_new', SECRET]) assert.equal(verifySignature({ signature: two, body, secret, nowS: NOW_S }), 'valid')
    assert.equal(verifySignature({ signature: two, body, secret: 'whsec_other', nowS: NOW_S }), 'forged')
  })

  test('verifying refuses another body, another time, another secret', () => {
    const rows = [
      { signature, body: `${body} `, secret: SECRET },
      { signature: signature.replace(`t=${NOW_S}`, `t=${NOW_S + 1}`), body, secret: SECRET },
      { signature, body, secret: `${SECRET}a` },
    ]
    for (const row of rows) assert.equal(verifySignature({ ...row, nowS: NOW_S }), 'forged')
  })

  test('verifying compares every digit of a signature', () => {
    const v1 = signatureOf(SECRET, NOW_S, body)
    for (let at = 0; at < v1.length; at++) {
      const changed = `${v1.slice(0, at)}${v1[at] === '0' ? '1' : '0'}${v1.slice(at + 1)}`
      assert.equal(verifySignature({ signature: `t=${NOW_S},v1=${changed}`, body, secret: SECRET, nowS: NOW_S }), 'forged', `digit ${at}`)
    }
  })

  test('verifying refuses what is no such header', () => {
    const v1 = signatureOf(SECRET, NOW_S, body)
    const rows = ['', 't=1', `v1=${v1}`, `t=${NOW_S}, v1=${v1}`, `t=${NOW_S},v1=`, `t=-1,v1=${v1}`, `t=${NOW_S},v1=${v1.toUpperCase()}`]
    for (const header of [...rows, `t=${NOW_S},v2=${v1}`, `t=${NOW_S},v1=${v1}0`, `t=${NOW_S}${`,v1=${v1}`.repeat(9)}`]) {
      assert.equal(verifySignature({ signature: header, body, secret: SECRET, nowS: NOW_S }), 'malformed', header)
    }
  })

  test('verifying ignores what has another name, and never takes it for a signature', () => {
    const v1 = signatureOf(SECRET, NOW_S, body)
    for (const header of [`t=${NOW_S},v1=${v1},v0=a`, `t=${NOW_S},v2=Zm9v==,v1=${v1}`]) {
      assert.equal(verifySignature({ signature: header, body, secret: SECRET, nowS: NOW_S }), 'valid', header)
    }
    const other = signatureOf('whsec_other', NOW_S, body)
    assert.equal(verifySignature({ signature: `t=${NOW_S},v1=${other},v2=${v1}`, body, secret: SECRET, nowS: NOW_S }), 'forged')
  })

  test('any body, signed, is valid; with any one byte changed it is not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, place, change) => {
        const header = signatureHeader([SECRET], NOW_S, bytes)
        assert.equal(verifySignature({ signature: header, body: bytes, secret: SECRET, nowS: NOW_S }), 'valid')
        const changed = Uint8Array.from(bytes)
        const at = place % bytes.length
        changed[at] = (bytes[at] as number) ^ change
        assert.equal(verifySignature({ signature: header, body: changed, secret: SECRET, nowS: NOW_S }), 'forged')
      }),
    )
  })

  test('the clock is asked where no time is given', () => {
    const fresh = signatureHeader([SECRET], Math.floor(Date.now() / 1000), body)
    assert.equal(verifySignature({ signature: fresh, body, secret: SECRET }), 'valid')
    assert.equal(verifySignature({ signature: signatureHeader([SECRET], 1, body), body, secret: SECRET }), 'expired')
  })
})

describe('secrets', () => {
  const seal = new Seal(Buffer.alloc(32, 1))
  const key = Buffer.alloc(32, 2)

  test('a new one is unguessable text, sealed for the field that shows it', async () => {
    const secrets = new WebhookSecrets((await EngineFixture.open()).engine, seal, key)
    const opened = Array.from({ length: 20 }, () => seal.open('secret', secrets.newSealed()))
    for (const secret of opened) assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/)
    assert.equal(new Set(opened).size, 20)
  })

  test('a merchant’s default is the same after every start, and that of no other merchant', async () => {
    const fixture = await EngineFixture.open()
    const [one, other] = [openMerchant(fixture, 'un'), openMerchant(fixture, 'deux')]
    const secrets = new WebhookSecrets(fixture.engine, seal, key)
    const all = [one.live, one.test, other.live, other.test].map((account) => secrets.defaultOf(account))
    assert.equal(new Set(all).size, 4)
    for (const secret of all) assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/)
    assert.equal(new WebhookSecrets(fixture.engine, seal, key).defaultOf(one.live), all[0])
    assert.notEqual(new WebhookSecrets(fixture.engine, seal, Buffer.alloc(32, 3)).defaultOf(one.live), all[0])
  })

  test('an endpoint signs with its own, and with the one before until its time is over', async () => {
    const setup = await openWebhookSetup()
    const { fixture, merchant } = setup
    const secrets = new WebhookSecrets(fixture.engine, seal, key)
    assert.deepEqual(secrets.signing(merchant, null, 0), [secrets.defaultOf(merchant)])
    const id = openEndpoint(setup)
    const rotate = (secret: string, overlapS: number): void => {
      fixture.do({ type: 'RotateSecret', merchant, id, sealedSecret: seal.seal('secret', secret), overlapS })
    }
    rotate('whsec_a', 0)
    rotate('whsec_b', 60)
    const endpoint = fixture.state.webhooks.endpoints.get(id)
    assert.ok(endpoint !== undefined)
    const untilMs = fixture.loop.nowMs + 60_000
    assert.deepEqual(secrets.signing(merchant, endpoint, untilMs - 1), ['whsec_b', 'whsec_a'])
    assert.deepEqual(secrets.signing(merchant, endpoint, untilMs), ['whsec_b'])
    assert.deepEqual(secrets.signing(merchant, null, untilMs), ['whsec_b'])
  })
})

test('Retry-After is seconds or a date, and nothing else', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00.000Z')
  const rows = [
    [undefined, null],
    ['120', 120_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
    ['1.5e3', null],
  ] as const
  for (const [value, expected] of rows) assert.equal(retryAfterMs(value, nowMs), expected, value)
})
