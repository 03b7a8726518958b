// Each example of the documents, run as it is shown against a real server, in its language. The reference's examples are sent with ids
// that exist, and each language must send the same request.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bundleClient } from '../../http/client/build/client-bundle.ts'
import { exampleParams, type ParamValues, requestSample } from '../../http/pages/docs/reference-samples.ts'
import { readSamples } from '../../http/pages/docs/samples.ts'
import type { Route } from '../../http/server/route.ts'
import { signatureHeader } from '../../http/workers/webhooks/verify-signature.ts'
import { DOCUMENT, TABLE } from '../support/api-document.ts'
import { DocumentCheck } from '../support/document-check.ts'
import { compiled, interpreterMissing, type Ran, runProgram } from '../support/interpreters.ts'
import { RecordingProxy } from '../support/recording-proxy.ts'
import { type Merchant, newKey, TestServer } from '../support/server-fixture.ts'
import { ok } from '../support/wallet-callers.ts'

const LANGUAGES = ['sh', 'mjs', 'py', 'php'] as const
const SAMPLES = readSamples()

/** What each example prints, in the order in which a reader comes to them. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'quickstart/payout': /"state":"paid"|[0-9a-f-]{36} paid/,
  'quickstart/charge': /"state":"pending"|pending http/,
  'payouts/check': /"exists":true|true/i,
  'payouts/batch': /"state":"dry_run"[\s\S]*"paid_count":2|2 paid/,
  'payouts/schedule': /"state":"active"|[0-9a-f-]{36} active/,
  'checkout/charge': /"state":"paid"|^paid$/m,
  'checkout/refund': /"state":"refunded"|^refunded$/m,
  'checkout/link': /http:\/\/[^"]*\/l\/\w+/,
  'webhooks/endpoint': /whsec_/,
  'test-mode/wallet': /"pin":"2580"|2580/,
  'idempotency/replay': /true|(01\w{6}-[\w-]{27})[\s\S]*\1/i,
}

/** Run each file in one process, behind a line with its name. An error of the API ends its file alone. */
const RUNNERS: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
  sh: 'for file in "$@"; do echo; echo "== $file"; bash "$file"; done',
  mjs: `import { ApiError } from '@cauri/node'
for (const file of process.argv.slice(2)) {
  console.log('\\n== ' + file)
  await import('./' + file).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    console.log('"code":', error.code)
  })
}`,
  py: `import runpy, sys
sys.path.insert(0, '.')
from cauri import CauriError
for file in sys.argv[1:]:
    print('\\n== ' + file)
    try:
        runpy.run_path(file)
    except CauriError as error:
        print('"code":', error.code)`,
  php: `<?php
require_once 'cauri.php';
foreach (array_slice($argv, 1) as $file) {
    echo "\\n== $file\\n";
    try { (function () use ($file) { require $file; })(); } catch (CauriError $error) { echo '"code": ', $error->getMessage(); }
}`,
}

let server: TestServer
let folder: string

before(async () => {
  server = await TestServer.open({ settings: { OUTBOUND_ALLOW_PRIVATE: 'true' } })
  folder = mkdtempSync(join(tmpdir(), 'cauri-docs-'))
  const own = join(folder, 'node_modules', '@cauri', 'node')
  await bundleClient(join(own, 'dist'))
  writeFileSync(join(own, 'package.json'), JSON.stringify({ type: 'module', exports: './dist/index.js' }))
  for (const [name, sample] of SAMPLES) {
    for (const [ending, text] of Object.entries(sample)) writeFileSync(join(folder, fileOf(name, ending)), text)
  }
})

after(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Examples stand side by side, because they import the client from their own folder. */
function fileOf(name: string, ending: string): string {
  return `${name.replace('/', '-')}.${ending}`
}

async function settingsOf(merchant: Merchant, baseUrl: string): Promise<NodeJS.ProcessEnv> {
  const body = { environment: 'test', scopes: ['disbursements.write', 'billers.write'] }
  const path = `/v1/operator/merchants/${merchant.id}/api-keys`
  const key = (await ok(server.operator.post<{ public_key: string; secret_key: string }>(path, body))).body
  return { CAURI_URL: baseUrl, CAURI_API_KEY: key.public_key, CAURI_API_SECRET: key.secret_key }
}

describe('the examples of the guides', () => {
  test('each has a line here', () => {
    const runnable = [...SAMPLES.keys()].filter((name) => name !== 'cauri' && name !== 'webhooks/verify')
    assert.deepEqual(Object.keys(PRINTED).sort(), runnable.sort())
  })

  for (const language of LANGUAGES) {
    test(`each runs in ${language}`, { skip: interpreterMissing(language) }, async () => {
      const settings = await settingsOf(await server.fundedMerchant(10_000_000), server.process.baseUrl)
      const names = Object.keys(PRINTED)
      writeFileSync(join(folder, `all.${language}`), RUNNERS[language])
      const files = names.map((name) => fileOf(name, language))
      const { isGood, output } = await runProgram(language, [`all.${language}`, ...files], folder, settings)
      assert.ok(isGood, output)
      const [, ...outputs] = output.split(/^== .*$/m)
      for (const [index, name] of names.entries()) {
        assert.match(outputs[index] ?? '', PRINTED[name] as RegExp, name)
        assert.doesNotMatch(outputs[index] ?? '', /"code":/, name)
      }
    })
  }
})

describe('the verification of a webhook', () => {
  const secret = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
  const body = '{"type":"ping","data":{"note":"é"}}'
  const nowS = Math.floor(Date.now() / 1000)
  const run = (words: readonly string[], signature: string, text = body): Promise<Ran> =>
    runProgram('sh', ['-c', 'exec "$@"', '-', ...words], folder, { BODY: text, SIGNATURE: signature, CAURI_WEBHOOK_SECRET: secret })

  for (const language of ['mjs', 'py', 'php', 'go', 'java'] as const) {
    test(`in ${language} takes a good event and refuses a forged and an old one`, { skip: interpreterMissing(language) }, async () => {
      const program = await compiled(language, fileOf('webhooks/verify', language), folder)
      const good = await run(program, signatureHeader(['another', secret], nowS, body))
      assert.ok(good.isGood, good.output)
      assert.match(good.output, /^(?:ping|valid)$/m)
      const forged = await run(program, signatureHeader([secret], nowS, body), `${body} `)
      const old = await run(program, signatureHeader([secret], nowS - 400, body))
      assert.deepEqual([forged.isGood, old.isGood], [false, false])
    })
  }
})

describe('the examples of the reference', () => {
  const check = new DocumentCheck(DOCUMENT)
  const routes = TABLE.filter((route) => Object.keys(requestSample(route)).length > 1)
  /** Times in an example pass; another wallet is no customer of the test. */
  const INVALID = /"code":"(?:invalid_start_at|profile_incomplete|otp_incorrect)"/

  for (const language of LANGUAGES) {
    test(`in ${language} send the request of the document, and the answer is one of the document`, {
      skip: interpreterMissing(language),
    }, async () => {
      const merchant = await server.fundedMerchant(10_000_000)
      const values = await existingValues(merchant)
      const proxy = await RecordingProxy.open(server.process.baseUrl)
      const own = join(folder, `reference-${language}`)
      const expected = routes.map((route, index) => ({
        route,
        file: `reference-${String(index).padStart(3, '0')}.${language}`,
        params: values(route),
      }))
      try {
        mkdirSync(own)
        writeFileSync(join(own, `cauri.${language}`), SAMPLES.get('cauri')?.[language] ?? '')
        writeFileSync(join(own, `all.${language}`), RUNNERS[language])
        for (const { route, file, params } of expected) writeFileSync(join(own, file), requestSample(route, params)[language] ?? '')
        const { isGood, output } = await runProgram(
          language,
          [`all.${language}`, ...expected.map(({ file }) => file)],
          own,
          await settingsOf(merchant, proxy.baseUrl),
        )
        assert.ok(isGood, output)
      } finally {
        await proxy.close()
      }
      const sent = (method: string, path: string, body: unknown): string => JSON.stringify([method, path, body ?? null])
      assert.deepEqual(
        proxy.recorded.map(({ method, path, body }) => sent(method, path, body === '' ? null : JSON.parse(body))),
        expected.map(({ route, params }) =>
          sent(
            route.method,
            route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
            route.bodyExample,
          ),
        ),
      )
      for (const { method, path, headers, answer } of proxy.recorded) {
        check.check({ method, path, headers }, answer)
        assert.ok(
          [200, 201, 202, 204, 402, 404, 409, 422].includes(answer.status) || INVALID.test(answer.text),
          `${method} ${path} ${answer.text}`,
        )
      }
    })
  }
})

/** Creates one object of each kind, and returns a function that gives a route the ids that exist. */
async function existingValues({ test: client }: Merchant): Promise<(route: Route) => ParamValues> {
  const create = async (path: string, body: object): Promise<Record<string, string>> =>
    (await ok(client.post<Record<string, string>>(`/v1/biz/${path}`, body, newKey()))).body
  const { tag = '' } = await create('test/wallets', { tag: `t_${Date.now().toString(36)}${Math.floor(performance.now() * 1000) % 1e6}` })
  const line = { recipient: tag, amount: 100 }
  const made: Record<string, Record<string, string>> = {
    charges: await create('charges', { amount: 100 }),
    'payment-links': await create('payment-links', { description: 'Caisse' }),
    payouts: await create('payouts', line),
    batch: await create('payouts/batch', { items: [line] }),
    'payout-schedules': await create('payout-schedules', { items: [line], recurrence: 'monthly', start_at: '2099-01-01T00:00:00Z' }),
    mandates: await create('mandates', { customer_tag: tag, amount: 100, interval: 'on_demand' }),
    'webhook-endpoints': await create('webhook-endpoints', { url: 'https://boutique.example/hooks', events: ['charge.succeeded'] }),
    'top-ups': await create('top-ups', { amount: 100 }),
    withdrawals: await create('withdrawals', { amount: 100, destination: { kind: 'bank', name: 'Awa Diallo', account: 'SN08 0100 1520' } }),
    transactions: (await ok(client.get<{ data: Record<string, string>[] }>('/v1/biz/transactions'))).body.data[0] ?? {},
    events: (await ok(client.get<{ data: Record<string, string>[] }>('/v1/biz/events'))).body.data[0] ?? {},
  }
  return (route) => {
    const segments = route.path.split('/')
    const noun = segments[segments.findIndex((segment) => segment.startsWith('{')) - 1] ?? ''
    const found = made[noun === 'checkout' ? 'charges' : noun] ?? {}
    return Object.fromEntries(Object.entries(exampleParams(route)).map(([name, example]) => [name, found[name] ?? example]))
  }
}
