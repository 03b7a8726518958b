// The commands that are made from the routes of the API, and those beside them: raw requests, request logs, help, the browser.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keysOf } from '../../support/built-client.ts'
import { type CliResult, jsonLines, runCli, runProgram } from '../../support/cli.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

let server: TestServer
let tag: string
let env: Readonly<Record<string, string>>
let folder: string

before(async () => {
  server = await sharedServer()
  const merchant = await server.fundedMerchant(1_000_000)
  tag = await server.wallet(merchant)
  env = await environmentOf(merchant)
  folder = mkdtempSync(join(tmpdir(), 'cauri-cli-routes-'))
})

after(() => rmSync(folder, { recursive: true }))

async function environmentOf(of: Merchant): Promise<Readonly<Record<string, string>>> {
  const { publicKey, secretKey } = await keysOf(server, of)
  return { CAURI_URL: server.process.baseUrl, CAURI_API_KEY: publicKey, CAURI_API_SECRET: secretKey }
}

const cauri = (line: string, more: object = {}): Promise<CliResult> => runCli(line.split(' '), { env, ...more })

async function okJson(line: string, more: object = {}): Promise<Record<string, unknown>> {
  const result = await cauri(`${line} --json`, more)
  assert.equal(result.code, 0, result.stderr)
  return jsonLines(result)[0] ?? assert.fail('nothing was printed')
}

test('each route of the API is a command: lists, records, steps and CSV', async () => {
  const own = await server.fundedMerchant(1000)
  const mine = { env: await environmentOf(own) }
  const made = await okJson('mandates create --customer-tag awa_demo --max-amount 500 --interval on_demand --reference ABO-1', mine)
  assert.deepEqual([made.state, made.max_amount], ['pending', 500])
  const listed = await cauri('mandates list --reference ABO-1', mine)
  assert.match(listed.stdout, /^\d{4}-\S+ +pending +awa_demo +ABO-1 +[0-9a-f-]{36}\n$/)
  assert.equal((await okJson(`mandates get ${made.id}`, mine)).id, made.id)
  assert.equal((await okJson(`mandates cancel ${made.id}`, mine)).state, 'cancelled')
  const destination = { kind: 'bank', name: 'Awa', account: 'SN08 0100 1520' }
  const words = ['withdrawals', 'create', '--amount', '100', '--destination', JSON.stringify(destination), '--key', 'retrait-1', '--json']
  const first = await runCli(words, mine)
  const again = await runCli(words, mine)
  assert.deepEqual([first.code, jsonLines(first)[0]?.id], [0, jsonLines(again)[0]?.id], first.stderr)
  const endpoint = await okJson('webhooks create --data-url https://boutique.example/hook --events charge.succeeded,payout.paid', mine)
  assert.deepEqual(endpoint.events, ['charge.succeeded', 'payout.paid'])
  assert.equal((await okJson(`webhooks delete ${endpoint.id}`, mine)).deleted, true)
  assert.deepEqual((await runCli(['transactions', 'list', '--csv'], mine)).stdout.split('\n')[0]?.startsWith('id,'), true)
  assert.deepEqual(jsonLines(await cauri('transactions list --type deposit --limit 1 --json', mine)).length, 1)
  const batch = ['batches', 'create', '--items', JSON.stringify([{ recipient: newTag(), amount: 5 }]), '--json']
  assert.equal((await runCli(batch, mine)).code, 5, 'a line failed')
  assert.equal((await cauri('charges get', mine)).code, 2)
  assert.equal((await cauri('charges list more', mine)).code, 2)
  assert.equal((await cauri('schedules create --items nothing', mine)).code, 2)
})

test('refunds are made of a charge, and listed as transactions', async () => {
  const own = await server.merchant()
  const mine = { env: await environmentOf(own) }
  const paid = (await okJson('trigger charge.succeeded', mine)).made as { token: string }
  assert.equal((await okJson(`refunds create ${paid.token} --key refund-1`, mine)).state, 'refunded')
  const [refund] = jsonLines(await cauri('refunds list --json', mine))
  assert.deepEqual([refund?.type, refund?.amount], ['refund', -1000])
  assert.equal((await okJson(`refunds get ${refund?.id}`, mine)).id, refund?.id)
})

test('get, post, put and delete send to any path, and nowhere else', async () => {
  const own = await server.fundedMerchant(1000)
  const mine = { env: await environmentOf(own), cwd: folder }
  assert.equal((await okJson('get /v1/biz/balance', mine)).available, 1000)
  const body = JSON.stringify({ recipient: tag, amount: 5 })
  const paid = await runCli(['post', '/v1/biz/payouts', '--data', body, '--key', 'raw-1', '--json'], mine)
  const again = await runProgram(['post', '/v1/biz/payouts', '--data', '-', '--key', 'raw-1', '--json'], { ...mine, input: body })
  assert.deepEqual([jsonLines(paid)[0]?.state, again.stdout], ['paid', paid.stdout], again.stderr)
  writeFileSync(join(folder, 'biller.json'), '{"display_name":"Eaux","category":"water","short_desc":"L’eau."}')
  assert.equal((await okJson('put /v1/biz/biller --data @biller.json', mine)).display_name, 'Eaux')
  assert.equal((await cauri('delete /v1/biz/webhook-endpoints/019aa0f0-2a00-7b11-8c2d-3e4f50617283', mine)).code, 1)
  for (const path of ['@evil.example/', '//evil.example/', 'v1/biz/ping', '/a b'])
    assert.equal((await runCli(['get', path], mine)).code, 2, path)
})

test('logs tail shows the requests of test keys with the code of their errors', async () => {
  const own = await server.merchant()
  const mine = { env: await environmentOf(own) }
  await cauri('charges get nothing', mine)
  await okJson('charges create --amount 5', mine)
  const { stdout } = await cauri('logs tail --no-follow', mine)
  assert.match(stdout, /GET {2}\/v1\/biz\/charges\/nothing {2}404 {2}not_found .*\n.* POST {2}\/v1\/biz\/charges {2}201 /)
  const failed = jsonLines(await cauri('logs tail --no-follow --failed --json', mine))
  assert.deepEqual(
    failed.map(({ status }) => status),
    [404],
  )
})

test('every error of a POST names its key, also when nothing is known of the answer', async () => {
  const lost = await cauri(`payouts create --recipient ${tag} --amount 5 --url http://127.0.0.1:9 --retries 0`)
  const [, key = ''] = /Idempotency-Key: ([0-9a-f-]{36}); with --key/.exec(lost.stderr) ?? []
  assert.deepEqual([lost.code, key.length], [3, 36], lost.stderr)
  const rejected = await cauri('charges refund nothing --key mine-1 --json')
  const { error } = jsonLines<{ error: { idempotency_key: string } }>(rejected)[0] ?? assert.fail()
  assert.equal(error.idempotency_key, 'mine-1')
})

test('an unknown topic of the help is a mistake, and -h is --help', async () => {
  for (const line of ['help nothing', 'nothing --help', 'help charges nothing', 'nothing -h'])
    assert.equal((await cauri(line)).code, 2, line)
  for (const line of ['help', '-h', 'help charges', 'charges -h', 'charges list -h', '-h charges list'])
    assert.equal((await cauri(line)).code, 0, line)
  assert.equal((await cauri('charges list -h')).stdout, (await cauri('help charges list')).stdout)
})

test('open prints the address of a page and hands it to the browser', async () => {
  const seen = join(folder, 'opened.txt')
  const browser = join(folder, 'browser.sh')
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${seen}'\n`, { mode: 0o755 })
  const mine = { env: { ...env, BROWSER: browser } }
  const { stdout } = await runProgram(['open', 'docs'], mine)
  assert.equal(stdout, `${server.process.baseUrl}/docs\n`)
  await eventuallyAsync(async () => existsSync(seen) && readFileSync(seen, 'utf8') === stdout.trim(), 'the browser')
  assert.equal((await cauri('open nothing', mine)).code, 2)
  const without = await cauri('open docs', { env: { ...env, BROWSER: '/nonexistent' } })
  assert.deepEqual([without.code, /open the address yourself/.test(without.stderr)], [0, true])
})
