// The page about hosted code says what is true of the sandbox, and its templates work.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { FulfillmentContext, LookupFound, LookupRefused, LookupRequest } from '../../../../../engine/contract/lookup.ts'
import {
  ABSENT,
  ARGS_FIELDS,
  CONTEXT_FIELDS,
  DUE_FIELDS,
  GLOBALS,
  REFUSED_FIELDS,
  RUN_LIMITS,
  TRIED_PACKAGES,
} from '../../../../../http/pages/dashboard/developers/code-guide.ts'
import { CODE_TEMPLATES, templateOf } from '../../../../../http/pages/dashboard/products/code-templates.ts'
import { readAnswer } from '../../../../../http/workers/lookups/lookup-answer.ts'
import type { FetchAnswer } from '../../../../../sandbox-pool/fetch-broker.ts'
import {
  CROSSING_BYTES_MAX,
  FETCH_BODY_BYTES_MAX,
  FETCHES_MAX,
  LOG_LINES_MAX,
  RUN_WALL_MS,
  VM_HEAP_BYTES,
} from '../../../../../sandbox-pool/limits.ts'
import { MERCHANT_PACKAGES, MODULE_PACKAGE } from '../../../../support/merchant-packages.ts'
import { openStand } from '../../../../support/sandbox-fixture.ts'

const INVOICE = { montant: 12_500, date: '2026-11-05T00:00:00Z', client: 'Awa Diallo', numero: 'FAC-7' }
const json = (status: number, body: object): FetchAnswer => ({
  status,
  headers: [['content-type', 'application/json']],
  body: JSON.stringify(body),
})
/** The systems of a merchant, by host and path. */
const SYSTEMS: Readonly<Record<string, FetchAnswer>> = {
  'api.exemple.sn/factures': json(200, INVOICE),
  'api.exemple.sn/consultation': json(200, INVOICE),
  'soap.exemple.sn/factures': {
    status: 200,
    headers: [],
    body: Buffer.from('<r><montant>12500</montant><client>Aïssa</client><numero>FAC-7</numero></r>', 'latin1'),
  },
  'api.exemple.sn/paiements': json(409, {}),
  'api.exemple.sn/livraisons': json(201, {}),
  'soap.exemple.sn/paiements': { status: 200, headers: [], body: '<r><resultat>OK</resultat></r>' },
  'api.exemple.sn/forfaits': json(200, {}),
}
const stand = openStand({
  threads: 1,
  broker: ({ url }) => {
    const { host, pathname } = new URL(url)
    return Promise.resolve(SYSTEMS[host + pathname] ?? { error: 'no such system' })
  },
})
after(() => stand.sandbox.close())

const namesOf = (fields: readonly (readonly [string, unknown])[]): string[] => fields.map(([name]) => name)

test('the fields of arguments and answers are those of the schemas', () => {
  for (const [fields, schema] of [
    [ARGS_FIELDS, LookupRequest],
    [CONTEXT_FIELDS, FulfillmentContext],
    [DUE_FIELDS, LookupFound],
    [REFUSED_FIELDS, LookupRefused],
  ] as const) {
    assert.deepEqual(namesOf(fields), Object.keys(schema.properties))
  }
})

test('the limits are those of the sandbox', () => {
  assert.deepEqual(RUN_LIMITS, {
    seconds: RUN_WALL_MS / 1_000,
    fetches: FETCHES_MAX,
    fetchKilobytes: FETCH_BODY_BYTES_MAX / 1_024,
    crossingKilobytes: CROSSING_BYTES_MAX / 1_024,
    megabytes: VM_HEAP_BYTES / 1_024 / 1_024,
    logLines: LOG_LINES_MAX,
  })
})

test('the packages that the page names are those that run in the sandbox and in Node alike', () => {
  const files = [MODULE_PACKAGE.file, ...Object.values(MERCHANT_PACKAGES).flatMap(({ files: of }) => Object.values(of))]
  assert.deepEqual(TRIED_PACKAGES, [...new Set(files.map((file) => file.split('/')[0]))].sort())
})

test('the globals that the page names are there, and those that it says are absent are not', async () => {
  const listed = GLOBALS.flatMap(({ names }) => names)
  const absent = ABSENT.flatMap(({ names }) => names)
  const source = `function lookup({ names }) { return names.filter((name) => name in globalThis) }`
  assert.deepEqual(await stand.value(source, { argument: { names: [...listed, ...absent] } }), listed)
})

const CONTEXT = {
  ...{ biller: 'energie', product: 'facture', amount: 1_000, currency: 'XOF', biller_ref: 'FAC-7' },
  ...{
    form_values: { telephone: '+221 77 000 00 00' },
    transaction_id: '0190a',
    charge_id: '0190b',
    merchant_id: '0190c',
    paid_at: 1_763_633_100,
  },
}
const ARGS = { product: 'facture', fields: { contrat: 'C<7>', mois: '6' }, request_id: '0190d', ts: 1_763_633_100 }

for (const { id, entry, code } of CODE_TEMPLATES) {
  test(`the template ${id} passes the check of a product's source and runs`, async () => {
    assert.deepEqual(await stand.sandbox.checkSource({ merchantId: 'm', entry, source: code }), { ok: true })
    const result = await stand.run(code, { entry, argument: entry === 'lookup' ? ARGS : CONTEXT })
    assert.ok(result.ok, JSON.stringify(result))
    if (entry === 'lookup') assert.equal(readAnswer(result.value, 'XOF').kind, 'due', result.value)
  })
}

test('the templates sign, escape and decode as they say', async () => {
  const run = async (
    id: string,
  ): Promise<{ readonly value: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }> => {
    const template = templateOf(id)
    assert.ok(template !== null)
    const result = await stand.run(template.code, { entry: template.entry, argument: template.entry === 'lookup' ? ARGS : CONTEXT })
    const { body, headers } = stand.requests.at(-1) ?? { body: null, headers: {} }
    return { value: result.ok ? result.value : '', body: String(body), headers }
  }
  const signed = await run('lookup-hmac')
  const expected = createHmac('sha256', 'votre-secret').update(`1763633100.${signed.body}`).digest('hex')
  assert.equal(signed.headers['x-signature'], expected)
  const xml = await run('lookup-xml')
  assert.match(xml.body, /<contrat>C&#60;7&#62;<\/contrat>/)
  assert.match(xml.value, /"customer_name":"Aïssa"/)
  assert.equal((await run('on-paid-packages')).body, 'formule=SEMAINE&numero=770000000&reference=0190a')
  assert.match((await run('lookup-json')).value, /Facture de novembre 2026/)
})
