// The command `cauri` against the real server: what it prints, what it changes, and its exit codes.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { GOOD_PRODUCTS } from '../../support/biller-engine.ts'
import { keysOf, openClient, sdk } from '../../support/built-client.ts'
import { type CliResult, jsonLines, runCli, startCli } from '../../support/cli.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { Receiver } from '../../support/receiver.ts'
import { type Merchant, newTag, TestServer } from '../../support/server-fixture.ts'

let server: TestServer
let receiver: Receiver
let merchant: Merchant
let tag: string
let env: Readonly<Record<string, string>>
let folder: string

before(async () => {
  server = await TestServer.open({ settings: { OUTBOUND_ALLOW_PRIVATE: 'true' } })
  receiver = await Receiver.open()
  merchant = await server.fundedMerchant(1_000_000)
  tag = await server.wallet(merchant)
  env = await environmentOf(merchant)
  folder = mkdtempSync(join(tmpdir(), 'cauri-cli-'))
})

after(async () => {
  rmSync(folder, { recursive: true })
  await receiver.close()
  await server.close()
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

test('login checks the keys, keeps them in a file of its owner, and commands use its profile', async () => {
  const { publicKey, secretKey } = await keysOf(server, merchant)
  const config = { CAURI_CONFIG: join(folder, 'profiles.json') }
  const input = `${server.process.baseUrl}\n${publicKey}\n${secretKey}\n`
  const login = await runCli(['login', '--profile', 'boutique'], { env: config, input })
  assert.equal(login.code, 0, login.stderr)
  assert.equal(statSync(config.CAURI_CONFIG).mode & 0o777, 0o600)
  const balance = await runCli(['balance', '--profile', 'boutique'], { env: config })
  assert.match(balance.stdout, /^available: +[\d ]+ XOF$/m)
  const wrong = await runCli(['login', '--public-key', publicKey, '--secret-key', 'sk_test_x', '--url', server.process.baseUrl], {
    env: config,
  })
  assert.deepEqual([wrong.code, /unauthorized/.test(wrong.stderr)], [4, true])
  assert.equal((await runCli(['balance'], { env: config })).code, 4)
  assert.doesNotMatch(readFileSync(config.CAURI_CONFIG, 'utf8'), /sk_test_x/)
})

test('exit codes tell rejections, wrong arguments and a service that is away', async () => {
  assert.equal((await cauri('events resend 019aa0f0-2a00-7b11-8c2d-3e4f50617283')).code, 1)
  assert.equal((await cauri('payouts create --amount 5')).code, 2)
  assert.equal((await cauri('payouts create --recipient awa --amount five')).code, 2)
  assert.equal((await cauri('nothing')).code, 2)
  assert.equal((await cauri('balance --url ftp://127.0.0.1')).code, 2)
  const failed = await cauri(`payouts create --recipient ${newTag()} --amount 5 --json`)
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

test('completion scripts offer groups, commands and options', async () => {
  const bash = await runCli(['completion', 'bash'])
  const script = `${bash.stdout}
    complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _cauri; echo "\${COMPREPLY[*]}"; }
    complete_line cauri pay; complete_line cauri payouts ''; complete_line cauri payouts create --rec`
  writeFileSync(join(folder, 'completion.bash'), script)
  const { spawnSync } = await import('node:child_process')
  const { stdout, stderr } = spawnSync('bash', [join(folder, 'completion.bash')], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.deepEqual(stdout.trim().split('\n'), ['payouts', 'create list', '--recipient'])
  assert.match((await runCli(['completion', 'zsh'])).stdout, /^#compdef cauri/)
  assert.equal((await runCli(['completion', 'fish'])).code, 2)
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

test('a CSV file is checked, paid, and paid only once', async () => {
  const own = await server.fundedMerchant(10_000)
  const wallet = await server.wallet(own)
  const mine = { env: await environmentOf(own), cwd: folder }
  const rows = Array.from({ length: 620 }, (_, index) => `@${wallet};${index === 0 ? '"1 000"' : 1};"L ""${index}"""`)
  writeFileSync(join(folder, 'paie.csv'), `\ufeffrecipient;amount;reference\r\n${rows.join('\r\n')}\r\n`)
  const dry = jsonLines(await cauri('batch upload paie.csv --dry-run --json', mine)).at(-1)
  assert.deepEqual([dry?.paid_count, dry?.paid_amount, dry?.dry_run], [620, 1619, true])
  assert.match((await cauri('balance', mine)).stdout, /10 000 XOF/)
  const paid = await cauri('batch upload paie.csv --run-id paie-11', mine)
  assert.equal(paid.code, 0, paid.stderr)
  assert.match(paid.stdout, /^paid 620 of 620 lines, 1 619 XOF \(run id paie-11\)$/m)
  const again = jsonLines(await cauri('batch upload paie.csv --run-id paie-11 --json', mine)).at(-1)
  assert.deepEqual([again?.replayed_files, again?.files], [2, 2])
  assert.match((await cauri('balance', mine)).stdout, /8 381 XOF/)
  const [payout] = (await own.test.get<{ data: { reference: string }[] }>('/v1/biz/payouts?limit=1')).body.data
  assert.equal(payout?.reference, 'L "619"')
})

const FILES: Readonly<Record<string, readonly [text: string, said: RegExp, code: number]>> = {
  'a file without the columns': ['who,how much\nawa,5\n', /recipient and amount/, 1],
  'an amount that is no whole number': ['recipient,amount\nawa,5\nkofi,5.5\n', /line 3: the amount "5\.5"/, 1],
  'a quote that is left open': ['recipient,amount\n"awa,5\n', /line 2/, 1],
  'a file without lines': ['recipient,amount\n', /no lines/, 2],
  'a line that fails': [`recipient,amount\n@${newTag()},5\n`, /recipient_not_found/, 5],
}

for (const [what, [text, said, code]] of Object.entries(FILES)) {
  test(`${what} is reported with exit code ${code}`, async () => {
    writeFileSync(join(folder, 'wrong.csv'), text)
    const result = await cauri('batch upload wrong.csv --dry-run', { cwd: folder })
    assert.match(result.stdout + result.stderr, said)
    assert.equal(result.code, code)
  })
}

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
  ]
  for (const type of types) assert.equal((await okJson(`trigger ${type}`, mine)).type, type)
  const rows = jsonLines<{ id: string; type: string }>(await cauri('events list --limit 100 --json', mine))
  assert.deepEqual(
    types.filter((type) => !rows.some((row) => row.type === type)),
    [],
  )
  const refused = await cauri('trigger biller.approved', mine)
  assert.equal(refused.code, 2)

  const url = receiver.url('/hook')
  const listened = await cauri(`listen --since 0 --events charge.refunded --count 1 --forward-to ${url} --secret whsec_x --json`, mine)
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
  const logs = await cauri('logs tail --no-follow', mine)
  assert.match(logs.stdout, /don {2}lookup \(trial\) {2}ok[\s\S]*\n {2}0123\n[\s\S]*fulfillment \(trial\) {2}failed[\s\S]*down 700/)
})

test('the tools of the server verify, back up and restore', async () => {
  const cwd = join(import.meta.dirname, '..', '..', '..')
  const backup = await runCli(['backup', server.process.dataDir, join(folder, 'backup'), '--server', cwd], { env })
  assert.equal(backup.code, 0, backup.stderr)
  assert.equal(
    (await runCli(['restore', join(folder, 'backup'), join(folder, 'restored')], { env: { ...env, CAURI_SERVER: cwd } })).code,
    0,
  )
  const verified = await runCli(['verify', join(folder, 'restored'), '--json'], { env, cwd })
  assert.deepEqual([verified.code, jsonLines(verified)[0]?.ok], [0, true], verified.stderr)
  assert.equal((await runCli(['verify', folder, '--server', folder], { env })).code, 1)
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
