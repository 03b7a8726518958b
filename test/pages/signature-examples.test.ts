// The examples that check signatures, each in its language: of webhooks, and of lookups at a biller's own server.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
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
  const nowS = Math.floor(Date.now() / 1000)
  const run = (words: readonly string[], signature: string, { text = body, key = secret } = {}): Promise<Ran> =>
    runProgram('sh', ['-c', 'exec "$@"', '-', ...words], folder, { BODY: text, SIGNATURE: signature, CAURI_WEBHOOK_SECRET: key })

  for (const language of ['mjs', 'py', 'php', 'go', 'java'] as const) {
    test(`in ${language} takes a good event, and refuses a forged one, an old one and all without a secret`, {
      skip: interpreterMissing(language),
    }, async () => {
      const program = await compiled(language, fileOf('webhooks/verify', language), folder)
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

describe('a receiver whose secret is missing', () => {
  for (const name of ['webhooks/receive', 'billers/answer'] as const) {
    test(`in php refuses what is signed without a key: ${name}`, { skip: interpreterMissing('php') }, async () => {
      const program = await startExample('php', fileOf(name, 'php'), folder, {})
      try {
        const body = '{"type":"charge.succeeded","data":{},"fields":{"numero":"01234567890"}}'
        const headers = { 'x-service-signature': signatureHeader([''], Math.floor(Date.now() / 1000), body) }
        assert.equal((await fetch(program.address, { method: 'POST', headers, body })).status, 401)
      } finally {
        await program.end()
      }
    })

    test(`in py does not start: ${name}`, { skip: interpreterMissing('py') }, async () => {
      const variables = { CAURI_WEBHOOK_SECRET: '', LOOKUP_SECRET: '', PORT: '0' }
      const ran = await runProgram('sh', ['-c', 'exec timeout 20 python3 "$0"', fileOf(name, 'py')], folder, variables)
      assert.match(ran.output, /_SECRET is empty/)
    })
  }
})
