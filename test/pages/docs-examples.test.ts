// Each example of the documents, run as it is shown against a real server, in its language. The reference's examples are sent with ids
// that exist, and each language must send the same request.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { NODE_METHODS } from '../../http/pages/docs/node-methods.ts'
import { requestSample } from '../../http/pages/docs/reference-samples.ts'
import { readSamples } from '../../http/pages/docs/samples.ts'
import { DOCUMENT, TABLE } from '../support/api-document.ts'
import {
  doCustomersPart,
  EXAMPLE_LANGUAGES,
  existingValues,
  fileOf,
  npmFunction,
  openExamples,
  REFERENCE_RUNNERS,
  RUNNERS,
  sessionOf,
  settingsOf,
  tokensOf,
} from '../support/docs-examples.ts'
import { CompiledDocument, DocumentCheck } from '../support/document-check.ts'
import { interpreterMissing, runProgram } from '../support/interpreters.ts'
import { png } from '../support/pictures.ts'
import { LOCALHOST_CERTIFICATE, Receiver } from '../support/receiver.ts'
import { RecordingProxy } from '../support/recording-proxy.ts'
import { TestServer } from '../support/server-fixture.ts'
import { type Person, signUp } from '../support/wallet-callers.ts'

const SAMPLES = readSamples()

/** What each example prints, in the order in which a reader comes to them. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'quickstart/payout': /"state":"paid"|[0-9a-f-]{36} paid/,
  'quickstart/charge': /"state":"pending"|pending http/,
  'payouts/check': /"exists":true|true/i,
  'payouts/batch': /"state":"dry_run"[\s\S]*"paid_count":2|2 paid/,
  'payouts/schedule': /"state":"active"|[0-9a-f-]{36} active/,
  'disbursements/pay': /"state":"completed"|^completed .*2 paid/m,
  'checkout/charge': /"state":"paid"|^paid$/m,
  'checkout/refund': /"state":"refunded"|^refunded$/m,
  'checkout/link': /http:\/\/[^"]*\/l\/[\w-]{12}/,
  'webhooks/endpoint': /whsec_/,
  'testing/flow': /^passed$/m,
  'test-mode/wallet': /"pin":"2580"|2580/,
  'idempotency/replay': /true|(01\w{6}-[\w-]{27})[\s\S]*\1/i,
  'webhooks/stream': /^(?:data:.*"type":"|\d+ )?[a-z]+\.[a-z_]+/m,
  'billers/profile': /energie-du-sahel/,
  'billers/logo': /\/logos\/\w+\.png/,
  'billers/product': /"state":"active"|facture active/,
  'billers/try': /12500[\s\S]*(?:"ok":true|ok: true|'ok': True|\[ok\] => 1)[\s\S]*answered 200/,
  'billers/refund': /"state":"refunded"|^refunded$/m,
  'mandates/create': /"state":"pending"|pending http/,
  'mandates/collect': /"state":"paid"|paid 5000/,
  'mandates/charge': /"state":"paid"|paid [0-9a-f-]{36}/,
  'reconciliation/statement': /"balance_after":\d+|\d+ lines, closing balance \d+/,
  'reconciliation/balance': /"available":\d+,"pending":\d+|^\d+ available, \d+ pending, XOF$/m,
  'reconciliation/match': /"reference":"CMD-118"[\s\S]*"data":\[\]|same: CMD-118[\s\S]*only in your records: CMD-119/,
  'reconciliation/export': /written: statement.csv/,
  'going-live/account-logo': /"logo_change":\{"state":"requested"/,
  'going-live/activation-file': /"content_type":"application\/pdf"/,
  'going-live/ping': /"environment":"test"|^test /m,
  'going-live/rotate': /whsec_/,
  'going-live/top-up': /requested/,
  'wallets/stream': /^(?:data:.*"type":")?[a-z]+\.[a-z_]+/m,
}

/** A process of a hundred shell scripts ends in its time also on a busy machine. */
const EXAMPLES_PER_PROCESS = 100
const METRICS_TOKEN = 'the-token-of-the-examples'

let server: TestServer
/** The system of a biller, whose address the examples have as `https://energie.example`. */
let biller: Receiver
let customer: Person
let folder: string

before(async () => {
  const settings = { OUTBOUND_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE, METRICS_TOKEN }
  server = await TestServer.open({ settings })
  biller = await Receiver.open('https', '127.0.0.1', 'localhost')
  customer = await signUp(server.anybody)
  folder = await openExamples()
  const onPaid = SAMPLES.get('billers/on-paid')?.js ?? ''
  writeFileSync(join(folder, 'on-paid.js'), onPaid.replace('https://energie.example', `https://localhost:${biller.port}`))
  writeFileSync(join(folder, 'lookup.js'), SAMPLES.get('billers/lookup')?.js ?? '')
  writeFileSync(join(folder, 'logo.png'), png(128))
  writeFileSync(join(folder, 'register.pdf'), '%PDF-1.7\n%%EOF\n')
})

after(async () => {
  await biller.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the examples of the guides', () => {
  test('each has a line here', () => {
    const others = new Set(['cauri', 'webhooks/verify', 'webhooks/receive', 'billers/answer', 'operations/backup', 'operations/watch'])
    const runnable = [...SAMPLES].filter(([name, sample]) => !others.has(name) && sample.js === undefined).map(([name]) => name)
    assert.deepEqual(Object.keys(PRINTED).sort(), runnable.sort())
  })

  for (const language of EXAMPLE_LANGUAGES) {
    test(`each runs in ${language}`, { skip: interpreterMissing(language) }, async () => {
      const merchant = await server.fundedMerchant(10_000_000)
      const ids = await doCustomersPart(merchant, customer)
      const tokens = { ACCESS_TOKEN: customer.accessToken, ...(await sessionOf(server)) }
      const settings = { ...ids, ...(await settingsOf(server, merchant, server.process.baseUrl)), ...tokens }
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

describe('the commands of the guide to operations', () => {
  test('back up a running server, verify, and restore', async () => {
    const root = join(import.meta.dirname, '..', '..')
    const places = { DATA_DIR: server.process.dataDir, BACKUP: join(folder, 'backup'), RESTORED: join(folder, 'restored') }
    const { isGood, output } = await runProgram(
      'sh',
      ['-e', '-c', `${npmFunction(root)}. "$0"`, join(folder, 'operations-backup.sh')],
      root,
      places,
    )
    assert.ok(isGood, output)
    assert.match(output, /restored .*restored/)
  })

  test('show health and metrics', async () => {
    const settings = { CAURI_URL: server.process.baseUrl, METRICS_TOKEN }
    const { output } = await runProgram('sh', [join(folder, 'operations-watch.sh')], folder, settings)
    assert.match(output, /"status":"ok"[\s\S]*cauri_healthy 1/)
  })
})

describe('the examples of the reference', () => {
  const check = new DocumentCheck(new CompiledDocument(DOCUMENT))
  /** Run with the guides. */
  const written = new Set(['uploadBillerLogo', 'addActivationFile', 'setMerchantLogo', 'streamMerchantEvents', 'streamEvents'])
  /** Sent last and in this order, because the others need the session, the password and the PIN. */
  const last = ['changePin', 'changePassword', 'logOut', 'logOutOfDashboard']
  const routes = TABLE.filter(({ operationId }) => !written.has(operationId)).toSorted(
    (one, other) => last.indexOf(one.operationId) - last.indexOf(other.operationId),
  )
  /** Methods of @cauri/node that leave an optional body out. */
  const bodiless = new Set(Object.keys(NODE_METHODS).filter((operationId) => NODE_METHODS[operationId]?.takes === null))
  /** What an example cannot know: codes and tokens that the reader gets. */
  const INVALID =
    /"code":"(?:profile_incomplete|otp_incorrect|totp_incorrect|invalid_(?:credentials|token|id_token)|device_not_registered|qr_expired)"/

  test('are there for every route, in each language', () => {
    for (const route of TABLE) assert.deepEqual(new Set(Object.keys(requestSample(route))), new Set(EXAMPLE_LANGUAGES), route.operationId)
  })

  test('leave out no body that a route needs', () => {
    assert.deepEqual(
      routes.filter(({ operationId, bodyOptional }) => bodiless.has(operationId) && bodyOptional !== true),
      [],
    )
  })

  for (const language of EXAMPLE_LANGUAGES) {
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
        writeFileSync(join(own, `all.${language}`), REFERENCE_RUNNERS[language])
        for (const { route, file, params } of expected) writeFileSync(join(own, file), requestSample(route, params)[language] ?? '')
        const tokens = await tokensOf(server, await signUp(server.anybody))
        const settings = { ...(await settingsOf(server, merchant, proxy.baseUrl)), ...tokens }
        for (let first = 0; first < expected.length; first += EXAMPLES_PER_PROCESS) {
          const files = expected.slice(first, first + EXAMPLES_PER_PROCESS).map(({ file }) => file)
          const { isGood, output } = await runProgram(language, [`all.${language}`, ...files], own, settings)
          assert.ok(isGood, output.slice(-2000))
        }
      } finally {
        await proxy.close()
      }
      const sent = (method: string, path: string, body: unknown): string => JSON.stringify([method, path, body ?? null])
      assert.deepEqual(
        proxy.recorded.map(({ method, path, body }) => sent(method, path, body === '' ? null : JSON.parse(body))),
        expected.map(({ route, params }) =>
          sent(
            route.method,
            route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
            language === 'mjs' && bodiless.has(route.operationId) ? null : route.bodyExample,
          ),
        ),
      )
      const rejected = proxy.recorded.filter(
        ({ answer: { status, text } }) => ![200, 201, 202, 204, 303, 402, 404, 409, 422].includes(status) && !INVALID.test(text),
      )
      assert.deepEqual(
        rejected.map(({ method, path, answer }) => `${method} ${path} ${answer.text}`),
        [],
      )
      // The document itself may be compressed.
      const answered = proxy.recorded.filter(({ path }) => !path.startsWith('/openapi.'))
      for (const { method, path, headers, answer } of answered) check.check({ method, path, headers }, answer)
    })
  }
})
