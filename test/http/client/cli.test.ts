// The command `cauri` against the real server: what it prints, what it changes, and its exit codes.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { GOOD_PRODUCTS } from '../../support/biller-engine.ts'
import { keysOf, openClient, sdk } from '../../support/built-client.ts'
import { type CliResult, jsonLines, runCli, runProgram, startCli } from '../../support/cli.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { Receiver } from '../../support/receiver.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

let server: TestServer
let receiver: Receiver
let merchant: Merchant
let tag: string
let env: Readonly<Record<string, string>>
let folder: string

before(async () => {
  server = await sharedServer({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  receiver = await Receiver.open()
  merchant = await server.fundedMerchant(1_000_000)
  tag = await server.wallet(merchant)
  env = await environmentOf(merchant)
  folder = mkdtempSync(join(tmpdir(), 'cauri-cli-'))
})

after(async () => {
  rmSync(folder, { recursive: true })
  await receiver.close()
})

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

test('exit codes tell rejections, wrong arguments and a service that is away', async () => {
  assert.equal((await cauri('events resend 019aa0f0-2a00-7b11-8c2d-3e4f50617283')).code, 1)
  assert.equal((await cauri('payouts create --amount 5')).code, 2)
  assert.equal((await cauri('payouts create --recipient awa --amount five')).code, 2)
  assert.equal((await cauri('nothing')).code, 2)
  assert.equal((await cauri('balance --url ftp://127.0.0.1')).code, 2)
  const failed = await runProgram(['payouts', 'create', '--recipient', newTag(), '--amount', '5', '--json'], { env })
  assert.deepEqual([failed.code, jsonLines(failed)[0]?.failure_code], [5, 'recipient_not_found'])
})

test('with --json a rejection is JSON with its code', async () => {
  const result = await cauri(`payouts create --recipient ${tag} --amount 0${'9'.repeat(13)} --json`)
  assert.equal(result.code, 1)
  const { error } = jsonLines<{ error: { code: string; status: number; param: string } }>(result)[0] ?? assert.fail()
  assert.deepEqual([error.code, error.status, error.param], ['invalid_request', 400, 'amount'])
})

test('help lists all commands, explains one with its options and examples, and needs no keys', async () => {
  const all = await runCli(['help'])
  assert.equal(all.code, 0)
  for (const name of ['login', 'listen', 'trigger', 'batch upload', 'doctor', 'completion'])
    assert.match(all.stdout, new RegExp(`^  ${name}`, 'm'))
  const one = await runCli(['batch', 'upload', '--help'])
  assert.match(one.stdout, /--dry-run .*\n[\s\S]*# pays; run it again after a crash\n {2}cauri batch upload payroll\.csv/)
  assert.equal((await runCli(['help', 'batch', 'upload'])).stdout, one.stdout)
})

test('payouts are created under a key and listed', async () => {
  const line = `payouts create --recipient @${tag} --amount 5_000 --reference PRIME --key prime-1`
  const first = await okJson(line)
  assert.deepEqual(await okJson(line), first)
  const rows = jsonLines(await cauri(`payouts list --recipient ${tag} --reference PRIME --json`))
  assert.deepEqual(
    rows.map(({ id }) => id),
    [first.id],
  )
  assert.match((await cauri('payouts list --csv')).stdout, /PRIME/)
})

test('charges show the QR code that the service drew, and wait for the payment', async () => {
  const { stdout, code } = await cauri('charges create --amount 2000 --reference CMD-1 --qr')
  assert.equal(code, 0)
  assert.match(stdout, /^amount: +2 000 XOF$/m)
  const drawn = stdout.split('\n').filter((line) => /^[ ▀▄█]{30,}$/.test(line))
  assert.ok(drawn.length >= 18, stdout)
  assert.equal(new Set(drawn.map((line) => line.length)).size, 1)

  const child = startCli(['charges', 'create', '--amount', '100', '--wait', '--json'], { env })
  child.stdin.end()
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  let text = ''
  const created = new Promise<string>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve((JSON.parse(text.split('\n')[0] ?? '') as { token: string }).token)
    }),
  )
  const client = await openClient(server, merchant)
  await client.test.deposit({ recipient: tag, amount: 100 })
  await client.test.payCharge(await created, { payer_tag: tag })
  assert.equal(await closed, 0)
  assert.match(text, /"state":"paid"\}\n$/)
})

test('payment links are made', async () => {
  const link = await okJson('links create --description Caisse --amount 500 --max-payments 3')
  assert.deepEqual([link.amount, link.max_payments, link.state], [500, 3, 'active'])
})

test('triggers make their events, which are listed, forwarded with a signature, and sent again', async () => {
  const own = await server.merchant()
  const mine = { env: await environmentOf(own) }
  const types = [
    'charge.succeeded',
    'charge.expired',
    'charge.cancelled',
    'charge.refunded',
    'payout.paid',
    'payout.failed',
    'batch.completed',
    'schedule.run_failed',
    'mandate.cancelled',
  ]
  for (const type of types) assert.equal((await okJson(`trigger ${type}`, mine)).type, type)
  const rows = jsonLines<{ id: string; type: string }>(await cauri('events list --limit 100 --json', mine))
  assert.deepEqual(
    types.filter((type) => !rows.some((row) => row.type === type)),
    [],
  )
  const statement = await own.test.get<{ data: { type: string; amount: number; reference: string }[] }>('/v1/biz/transactions')
  const rowsOfMoney = statement.body.data.map(({ type, amount, reference }) => `${type} ${amount} ${reference}`).reverse()
  assert.deepEqual(
    rowsOfMoney,
    ['charge 1000', 'charge 1000', 'refund -1000', 'deposit 1000', 'payout -1000', 'deposit 1000', 'payout -1000'].map(
      (row) => `${row} cauri trigger`,
    ),
  )
  const refused = await cauri('trigger biller.approved', mine)
  assert.equal(refused.code, 2)

  const url = receiver.url('/hook')
  const words = `listen --since 0 --events charge.refunded --count 1 --forward-to ${url} --secret whsec_x --json`.split(' ')
  const listened = await runProgram(words, mine)
  assert.equal(listened.code, 0, listened.stderr)
  const [received] = await receiver.until(1)
  assert.ok(received !== undefined)
  const event = await sdk.webhooks.verify(received.bytes, received.headers['x-service-signature'], 'whsec_x')
  const row = rows.find(({ type }) => type === 'charge.refunded')
  assert.deepEqual([event.type, received.headers['x-service-event-id']], ['charge.refunded', row?.id])
  const { forwarded } = jsonLines<{ forwarded: { status: number } }>(listened)[0] ?? assert.fail()
  assert.equal(forwarded.status, 200)

  await own.test.post('/v1/biz/webhook-endpoints', { url: receiver.url('/endpoint'), events: ['charge.refunded'] })
  assert.equal((await okJson(`events resend ${row?.id}`, mine)).id, row?.id)
})

test('a trigger with live keys makes nothing', async () => {
  const own = await server.merchant()
  const { publicKey, secretKey } = await keysOf(server, own, 'live')
  const live = { env: { CAURI_URL: server.process.baseUrl, CAURI_API_KEY: publicKey, CAURI_API_SECRET: secretKey } }
  for (const type of ['charge.expired', 'payout.failed', 'schedule.run_failed']) {
    const { code, stderr } = await cauri(`trigger ${type}`, live)
    assert.deepEqual([code, /live keys.* nothing was made/.test(stderr)], [1, true], `${type}: ${stderr}`)
  }
  for (const list of ['charges', 'payouts', 'payout-schedules'])
    assert.deepEqual((await own.live.get<{ data: unknown[] }>(`/v1/biz/${list}`)).body.data, [], list)
})

test('listen without a secret signs with the default secret and names it', async () => {
  const own = await server.merchant()
  const mine = { env: await environmentOf(own) }
  await okJson('trigger charge.cancelled', mine)
  const { stderr } = await cauri(`listen --since 0 --count 1 --forward-to ${receiver.url('/default')}`, mine)
  const { body } = await own.test.get<{ secret: string }>('/v1/biz/webhook-secret')
  assert.ok(stderr.includes(`signed with ${body.secret}`), stderr)
})

test('hosted code of a file runs as a trial, and its runs are followed', async () => {
  const own = await server.merchant()
  const mine = { env: await environmentOf(own), cwd: folder }
  const made = await own.test.request('PUT', '/v1/biz/biller', {
    json: { display_name: 'Eaux', category: 'water', short_desc: 'L’eau.' },
  })
  assert.equal(made.status, 200, made.text)
  assert.equal((await own.test.post('/v1/biz/biller/products', { slug: 'don', ...GOOD_PRODUCTS.user })).status, 201)
  const code = 'function lookup({ fields }) { console.log(fields.compteur); return { ok: true, amount: Number(fields.mois) } }'
  writeFileSync(join(folder, 'lookup.js'), code)
  // On a busy machine the sandbox may take longer to start than a run may last.
  let good: Record<string, unknown> = {}
  await eventuallyAsync(async () => {
    good = jsonLines(await cauri('code run lookup.js --product don --fields compteur=0123,mois=11 --json', mine))[0] ?? {}
    return (good.result as { ok: boolean }).ok
  }, 'the sandbox')
  assert.deepEqual(good.result, { ok: true, amount: 11 })
  writeFileSync(join(folder, 'paid.js'), 'function onPaid(ctx) { throw new Error("down " + ctx.amount) }')
  const bad = await cauri('code run paid.js --product don --fulfillment --amount 700', mine)
  assert.deepEqual([bad.code, /down 700/.test(bad.stdout)], [1, true])
  const ofAnother = await runBesideAnother(own)
  assert.deepEqual(ofAnother.logs, ['77'])
  const logs = await cauri('code logs --no-follow', mine)
  assert.match(logs.stdout, /don {2}lookup \(trial\) {2}ok[\s\S]*\n {2}0123\n[\s\S]*fulfillment \(trial\) {2}failed[\s\S]*down 700/)
})

/** Returns the run that `code run` shows, while another caller's trial is recorded before the command reads the run log. */
async function runBesideAnother(own: Merchant): Promise<{ readonly logs: readonly string[] }> {
  const relay = await Receiver.open()
  relay.answering = async ({ method, path, headers, body }, response) => {
    const sent = Object.entries(headers).filter(([name]) => /^(?:x-|idempotency-key|content-type)/.test(name))
    const init = { method, headers: Object.fromEntries(sent), ...(method === 'POST' ? { body } : {}) }
    const answer = await fetch(server.process.baseUrl + path, init)
    const trial = { lookup_code: 'function lookup() { console.log("another caller"); return { ok: true, amount: 5 } }' }
    if (method === 'POST') assert.equal((await own.test.post(path, trial)).status, 200)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  const mine = { env: { ...(await environmentOf(own)), CAURI_URL: relay.url('').replace(/\/$/, '') }, cwd: folder }
  const { run } = jsonLines(await cauri('code run lookup.js --product don --fields compteur=77,mois=11 --json', mine))[0] ?? {}
  await relay.close()
  return run as { readonly logs: readonly string[] }
}

test('the tools of the server verify, back up and restore', async () => {
  const cwd = join(import.meta.dirname, '..', '..', '..')
  // From the build as in the image, which takes a tenth of the time; `verify` below runs from the source.
  const [built = ''] = processEntry(new URL('../../../wal/tools/backup-command.ts', import.meta.url)).slice(-1)
  const image = built.endsWith('.ts') ? cwd : join(built, '..', '..')
  const backup = await runProgram(['backup', server.process.dataDir, join(folder, 'backup'), '--server', image], { env })
  assert.equal(backup.code, 0, backup.stderr)
  assert.equal(
    (await runProgram(['restore', join(folder, 'backup'), join(folder, 'restored')], { env: { ...env, CAURI_SERVER: image } })).code,
    0,
  )
  const verified = await runProgram(['verify', join(folder, 'restored'), '--json'], { env, cwd })
  assert.deepEqual([verified.code, jsonLines(verified)[0]?.ok], [0, true], verified.stdout + verified.stderr)
  assert.equal((await runProgram(['verify', folder, '--server', folder], { env })).code, 1)
})

test('doctor checks an integration and a machine, and fails on what is wrong', async () => {
  writeFileSync(
    join(folder, 'good.env'),
    `MASTER_KEY=${Buffer.alloc(32, 7).toString('base64')}\nBASE_URL="https://pay.example.com"\nSMS_URL=https://sms.example.com\nOPERATOR_TOKEN=${'x'.repeat(32)}\n`,
  )
  const good = await okJson(`doctor --data ${server.process.dataDir} --env-file ${join(folder, 'good.env')}`)
  const states = (good.findings as { check: string; state: string }[]).map(({ check, state }) => [check, state])
  assert.deepEqual(
    ['address', 'version', 'clock', 'keys', 'proxy', 'settings'].map((name) => states.find(([check]) => check === name)?.[1]),
    ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  )
  writeFileSync(join(folder, 'bad.env'), 'MASTER_KEY=c2hvcnQ=\nOUTBOUND_ALLOW_PRIVATE=true\n')
  const bad = await cauri(`doctor --env-file ${join(folder, 'bad.env')}`)
  assert.equal(bad.code, 1)
  assert.match(bad.stdout, /failed +settings +MASTER_KEY is 32 random bytes/)
  assert.match(bad.stdout, /OUTBOUND_ALLOW_PRIVATE is for tests/)
})

test('a service that is away has the exit code 3', async () => {
  const { code, stderr } = await cauri('balance --url http://127.0.0.1:9 --retries 0')
  assert.equal(code, 3, stderr)
})

test('an address that answers with a page is named as such', async () => {
  const page = await cauri(`payouts list --url ${receiver.url('/')} --retries 0`)
  assert.deepEqual([page.code, /answered with something else than JSON: is the address right\?/.test(page.stderr)], [3, true], page.stderr)
})

test('listen names a type of event that there is not', async () => {
  const { code, stderr } = await cauri('listen --events charge.suceeded')
  assert.deepEqual([code, /type/.test(stderr)], [1, true], stderr)
})
