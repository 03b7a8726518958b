// The examples that check signatures, each in its language: of webhooks, and of lookups at a biller's own server.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { CLIENT_ROOT } from '../../http/client/build/client-bundle.ts'
import { signatureHeader } from '../../http/workers/webhooks/verify-signature.ts'
import { fileOf, openExamples } from '../support/docs-examples.ts'
import { compiled, interpreterMissing, type Ran, runProgram, startExample } from '../support/interpreters.ts'

let folder: string

before(async () => {
  folder = await openExamples()
})

after(() => rmSync(folder, { recursive: true, force: true }))

describe('the verification of a webhook', () => {
  const secret = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
  const body = '{"type":"ping","data":{"note":"é"}}'
  const run = (words: readonly string[], signature: string, { text = body, key = secret } = {}): Promise<Ran> =>
    runProgram('sh', ['-c', 'exec "$@"', '-', ...words], folder, { BODY: text, SIGNATURE: signature, CAURI_WEBHOOK_SECRET: key })

  for (const language of ['mjs', 'py', 'php', 'go', 'java'] as const) {
    test(`in ${language} takes a good event, and refuses a forged one, an old one and all without a secret`, {
      skip: interpreterMissing(language),
    }, async () => {
      const program = await compiled(language, fileOf('webhooks/verify', language), folder)
      const nowS = Math.floor(Date.now() / 1000)
      const good = await run(program, signatureHeader(['another', secret], nowS, body))
      assert.ok(good.isGood, good.output)
      assert.match(good.output, /^(?:ping|valid)$/m)
      const forged = await run(program, signatureHeader([secret], nowS, body), { text: `${body} ` })
      const old = await run(program, signatureHeader([secret], nowS - 400, body))
      const keyless = await run(program, signatureHeader([''], nowS, body), { key: '' })
      assert.deepEqual([forged.isGood, old.isGood, keyless.isGood], [false, false, false])
    })
  }
})

describe('the receiver of webhooks', () => {
  const secret = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'

  for (const language of ['mjs', 'py', 'php'] as const) {
    test(`in ${language} answers 204 to good events, and 401 to forged and old ones`, { skip: interpreterMissing(language) }, async () => {
      const program = await startExample(language, fileOf('webhooks/receive', language), folder, { CAURI_WEBHOOK_SECRET: secret })
      try {
        const body = '{"type":"ping","data":{"note":"é"}}'
        const nowS = Math.floor(Date.now() / 1000)
        const send = async (signature: string, text = body): Promise<number> => {
          const headers = { 'x-service-signature': signature, 'x-service-event-id': 'an-event' }
          return (await fetch(program.address, { method: 'POST', headers, body: text })).status
        }
        assert.equal(await send(signatureHeader([secret], nowS, body)), 204)
        assert.equal(await send(signatureHeader(['another', secret], nowS, body)), 204)
        assert.equal(await send(signatureHeader([secret], nowS, body), `${body} `), 401)
        assert.equal(await send(signatureHeader(['another'], nowS, body)), 401)
        assert.equal(await send(signatureHeader([secret], nowS - 400, body)), 401)
      } finally {
        await program.end()
      }
    })
  }
})

describe('the lookup of a biller', () => {
  const secret = 'un-secret-pour-les-consultations'

  for (const language of ['mjs', 'py', 'php'] as const) {
    test(`in ${language} answers signed requests alone`, { skip: interpreterMissing(language) }, async () => {
      const program = await startExample(language, fileOf('billers/answer', language), folder, { LOOKUP_SECRET: secret })
      try {
        const ask = async (numero: string, key = secret): Promise<readonly [number, string]> => {
          const body = JSON.stringify({ product: 'facture', fields: { numero }, request_id: 'r', ts: 1 })
          const headers = {
            'content-type': 'application/json',
            'x-service-signature': signatureHeader([key], Math.floor(Date.now() / 1000), body),
          }
          const response = await fetch(program.address, { method: 'POST', headers, body })
          return [response.status, await response.text()]
        }
        const [status, text] = await ask('01234567890')
        assert.equal(status, 200)
        const due = { ok: true, amount: 12_500, customer_name: 'Awa Diallo', biller_ref: 'FAC-2026-11-0042' }
        assert.deepEqual(JSON.parse(text), due)
        assert.deepEqual(JSON.parse((await ask('99999999999'))[1]), { ok: false, reason: 'Compteur inconnu.' })
        assert.equal((await ask('01234567890', 'another secret'))[0], 401)
      } finally {
        await program.end()
      }
    })
  }
})

/** Receivers that the documents and the README of the package show, by their files. */
const RECEIVERS = [
  ['webhooks/receive', 'mjs', 204],
  ['webhooks/receive', 'py', 204],
  ['webhooks/receive', 'php', 204],
  ['billers/answer', 'mjs', 200],
  ['billers/answer', 'py', 200],
  ['billers/answer', 'php', 200],
  ['readme', 'mjs', 204],
] as const

/** A text that is an event and a lookup. */
const BOTH = '{"type":"ping","data":{"note":"é"},"product":"facture","fields":{"numero":"01234567890"},"request_id":"r","ts":1}'
const RECEIVED_MAX = 2 * 1024 * 1024

describe('a hostile or broken sender', () => {
  const secret = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
  const sign = (body: string | Buffer, time: string | number = Math.floor(Date.now() / 1000)): string =>
    `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`

  before(() => {
    const readme = readFileSync(join(CLIENT_ROOT, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
    const shown = blocks.find((text) => text.includes('webhooks.receive(')) ?? assert.fail('the README shows a receiver')
    writeFileSync(join(folder, 'readme.mjs'), shown.replace('.listen(3000)', '.listen(Number(process.env.PORT))'))
  })

  for (const [name, language, good] of RECEIVERS) {
    test(`the receiver ${name} in ${language} answers, and takes the next good request`, {
      skip: interpreterMissing(language),
    }, async () => {
      const program = await startExample(language, fileOf(name, language), folder, { CAURI_WEBHOOK_SECRET: secret, LOOKUP_SECRET: secret })
      const { port } = new URL(program.address)
      const post = (body: string | Buffer, header: string): Promise<number> =>
        sentRaw(Number(port), [head(Buffer.byteLength(body), header), body])
      const works = async (after: string): Promise<void> => assert.equal(await post(Buffer.from(BOTH), sign(BOTH)), good, after)
      const refused = async (what: string, status: Promise<number>, ...expected: number[]): Promise<void> => {
        assert.ok(expected.includes(await status), `${what}: ${await status}`)
        await works(what)
      }
      try {
        await works('the start')
        // 0: the connection was closed without an answer.
        await refused(
          'a request that is broken off',
          sentRaw(Number(port), [head(100, sign(BOTH)), '{"type"'], { isBrokenOff: true }),
          0,
          400,
          401,
        )
        await refused(
          'a head without a body, broken off',
          sentRaw(Number(port), [head(100, sign(BOTH))], { isBrokenOff: true }),
          0,
          400,
          401,
        )
        await refused(
          'a body that is too large',
          sentRaw(Number(port), [head(RECEIVED_MAX + 1, sign('')), 'x'], { isBrokenOff: language === 'php' }),
          0,
          413,
        )
        await refused('a signed body that is no UTF-8', post(NO_TEXT, sign(NO_TEXT)), 400)
        for (const body of ['', 'type=ping', 'null', '[]', '7', '{}']) await refused(`the signed body ${body}`, post(body, sign(body)), 400)
        for (const time of ['²', '-1', '', '9'.repeat(30), '1e3']) await refused(`the time ${time}`, post(BOTH, sign(BOTH, time)), 401)
        await refused('no signature', post(BOTH, ''), 401)
        await refused('a signature of letters beyond ASCII', post(BOTH, sign(BOTH).replace(/.$/, 'é')), 401)
        await refused('an unsigned body', post(BOTH, sign(`${BOTH} `)), 401)
      } finally {
        await program.end()
      }
    })
  }

  for (const [name, language] of RECEIVERS.filter(([, each]) => each !== 'php')) {
    test(`the receiver ${name} in ${language} does not start without a secret`, { skip: interpreterMissing(language) }, async () => {
      const variables = { CAURI_WEBHOOK_SECRET: '', LOOKUP_SECRET: '', PORT: '0' }
      const ran = await runProgram(language, [fileOf(name, language)], folder, variables)
      assert.match(ran.output, /_SECRET is empty/)
      assert.equal(ran.isGood, false)
    })
  }

  for (const name of ['webhooks/receive', 'billers/answer'] as const) {
    test(`the receiver ${name} in php refuses all without a secret`, { skip: interpreterMissing('php') }, async () => {
      const program = await startExample('php', fileOf(name, 'php'), folder, {})
      try {
        const headers = { 'x-service-signature': signatureHeader([''], Math.floor(Date.now() / 1000), BOTH) }
        assert.equal((await fetch(program.address, { method: 'POST', headers, body: BOTH })).status, 401)
      } finally {
        await program.end()
      }
    })
  }
})

const NO_TEXT = Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff, 0xfe]), Buffer.from('","data":{},"fields":{}}')])

function head(length: number, signature: string): string {
  const lines = [
    'POST / HTTP/1.1',
    'Host: localhost',
    `Content-Length: ${length}`,
    `X-Service-Signature: ${signature}`,
    'Connection: close',
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Sends the parts; resolves with the status, 0 for a connection that ends without one. */
function sentRaw(port: number, parts: readonly (string | Buffer)[], { isBrokenOff = false } = {}): Promise<number> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0)))
    for (const part of parts) socket.write(part)
    if (isBrokenOff) socket.end()
  })
}
