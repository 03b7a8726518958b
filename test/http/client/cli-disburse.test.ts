// `cauri disburse` against the real server: what it checks, that it asks, and that a second start pays nothing twice.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keysOf } from '../../support/built-client.ts'
import { type CliResult, jsonLines, runCli } from '../../support/cli.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'
import { ok } from '../../support/wallet-callers.ts'

let server: TestServer
let folder: string

before(async () => {
  server = await sharedServer()
  folder = mkdtempSync(join(tmpdir(), 'cauri-disburse-'))
})

after(() => rmSync(folder, { recursive: true }))

interface Payer {
  readonly merchant: Merchant
  readonly tag: string
  readonly cauri: (line: string, input?: string) => Promise<CliResult>
}

async function payer(balance: number): Promise<Payer> {
  const merchant = await server.fundedMerchant(balance)
  const { publicKey, secretKey } = await keysOf(server, merchant)
  const env = { CAURI_URL: server.process.baseUrl, CAURI_API_KEY: publicKey, CAURI_API_SECRET: secretKey }
  const cauri = (line: string, input = ''): Promise<CliResult> => runCli(line.split(' '), { env, input, cwd: folder })
  return { merchant, tag: await server.wallet(merchant), cauri }
}

test('a file is checked, paid after a yes, written with its result, and paid only once', async () => {
  const { tag, cauri } = await payer(10_000)
  const unknown = newTag()
  writeFileSync(join(folder, 'paie.csv'), `destinataire;montant;référence\n@${tag};"1 000";UN\n@${unknown};5;DEUX\n@${tag};200;TROIS\n`)
  const check = await cauri('disburse paie.csv --check')
  assert.equal(check.code, 5, check.stderr)
  assert.match(check.stdout, /^2 lines to pay, 1 200 XOF \(disbursement [0-9a-f-]+\)$/m)
  assert.match(check.stdout, new RegExp(`^1 line will not be paid:\n {2}line 3 {2}recipient_not_found {2}${unknown} {2}5$`, 'm'))
  const declined = await cauri('disburse paie.csv', 'n\n')
  assert.deepEqual([declined.code, /Pay 1 200 XOF\?/.test(declined.stderr), /nothing was started/.test(declined.stderr)], [1, true, true])
  assert.match((await cauri('balance')).stdout, /10 000 XOF/)

  const paid = await cauri('disburse paie.csv --result paid.csv', 'y\n')
  assert.equal(paid.code, 5, paid.stderr)
  assert.match(paid.stdout, /^completed: paid 2 lines, 1 200 XOF/m)
  const rows = readFileSync(join(folder, 'paid.csv'), 'utf8').trim().split('\r\n')
  assert.equal(rows.length, 4)
  assert.match(rows[0] ?? '', /^index,recipient,/)
  assert.match(rows[3] ?? '', new RegExp(`^2,${tag},.*,TROIS,.*paid.*,4$`))

  const [, again] = jsonLines(await cauri('disburse paie.csv --yes --json'))
  assert.deepEqual([again?.state, again?.paid_count], ['completed', 2])
  assert.match((await cauri('disburse paie.csv --check')).stdout, /^nothing is left to pay \(disbursement [0-9a-f-]+, completed\)$/m)
  assert.match((await cauri('balance')).stdout, /8 800 XOF/)
})

test('a run id belongs to one file, and another run id pays the same file again', async () => {
  const { tag, cauri } = await payer(1000)
  writeFileSync(join(folder, 'mois.csv'), `recipient,amount\n${tag},10\n`)
  for (const runId of ['nov', 'dec']) assert.equal((await cauri(`disburse mois.csv --run-id ${runId} --yes`)).code, 0)
  assert.match((await cauri('balance')).stdout, /980 XOF/)
  writeFileSync(join(folder, 'mois.csv'), `recipient,amount\n${tag},20\n`)
  const other = await cauri('disburse mois.csv --run-id nov --yes')
  assert.equal(other.code, 1)
  assert.match(other.stderr, /the run id nov belongs to another file or --reference/)
  assert.match((await cauri('balance')).stdout, /980 XOF/)
})

test('without balance it pauses before the line, and the same command goes on after a top-up', async () => {
  const { merchant, tag, cauri } = await payer(15)
  writeFileSync(join(folder, 'court.csv'), `recipient,amount\n${tag},10\n${tag},11\n`)
  const short = await cauri('disburse court.csv --yes')
  assert.equal(short.code, 5, short.stderr)
  assert.match(short.stdout, /^the balance of 15 XOF does not cover them all$/m)
  assert.match(short.stdout, /^paused: paid 1 line, 10 XOF/m)
  await ok(merchant.test.post('/v1/biz/test/deposits', { amount: 100 }))
  const rest = await cauri('disburse court.csv', 'oui\n')
  assert.match(rest.stdout, /^1 line of 2 left to pay, 11 XOF/m)
  assert.doesNotMatch(rest.stdout, /does not cover/)
  assert.match(rest.stderr, /Go on and pay 11 XOF\?/)
  assert.equal(rest.code, 0, rest.stdout)
  assert.match(rest.stdout, /^completed: paid 2 lines, 21 XOF/m)
})

test('the check sums the fees, the question names what leaves the account, and the end what was taken', async () => {
  const { merchant, tag, cauri } = await payer(2025)
  const rules = [{ on: 'payout', percent_bp: 100, fixed: 0, borne_by: 'merchant' }]
  const plans = { plans: [{ name: 'cent', rules, refund_fees: false }], default_plan: null }
  await ok(server.operator.request('PUT', '/v1/operator/rules/fees?environment=test', { json: plans }))
  await ok(server.operator.post(`/v1/operator/merchants/${merchant.id}/fee-plan`, { plan: 'cent', environment: 'test' }))
  writeFileSync(join(folder, 'frais.csv'), `recipient,amount\n${tag},1000\n${tag},1006\n`)
  const check = await cauri('disburse frais.csv --check')
  assert.match(check.stdout, /^fees 20 XOF, 2 026 XOF in all$/m)
  assert.match(check.stdout, /^the balance of 2 025 XOF does not cover them all$/m)
  await ok(merchant.test.post('/v1/biz/test/deposits', { amount: 1 }))
  assert.match((await cauri('batch upload frais.csv --dry-run')).stdout, /^would pay 2 of 2 lines, 2 006 XOF.*\nfees 20 XOF$/m)
  const paid = await cauri('disburse frais.csv', 'y\n')
  assert.match(paid.stderr, /Pay 2 026 XOF\?/)
  assert.match(paid.stdout, /^completed: paid 2 lines, 2 006 XOF.*\nfees 20 XOF$/m)
  assert.match((await cauri('balance')).stdout, /\b0 XOF/)
})

test('a file whose lines name no wallet starts nothing', async () => {
  const { cauri } = await payer(100)
  writeFileSync(join(folder, 'inconnus.csv'), `recipient,amount\n${newTag()},10\n`)
  const none = await cauri('disburse inconnus.csv --yes')
  assert.deepEqual([none.code, /no line can be paid: nothing was started/.test(none.stderr)], [1, true], none.stderr)
})

test('a file with a line that cannot be read makes no disbursement', async () => {
  const { merchant, tag, cauri } = await payer(100)
  writeFileSync(join(folder, 'faux.csv'), `recipient,amount\n${tag},10\n${tag},"1,500"\n`)
  const wrong = await cauri('disburse faux.csv --yes')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, /^line 3: the amount "1,500" can be read as/)
  assert.match(wrong.stderr, /1 line cannot be read: nothing was sent/)
  assert.equal((await merchant.test.get<{ data: object[] }>('/v1/biz/disbursements')).body.data.length, 0)
  assert.equal((await cauri('disburse - --run-id x', `recipient,amount\n${tag},10\n`)).code, 2)
  assert.equal((await cauri('disburse - --yes', `recipient,amount\n${tag},10\n`)).code, 0)
  assert.equal((await cauri('disburse faux.csv --result ./faux.csv --yes')).code, 2)
})
