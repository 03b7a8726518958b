// `cauri batch upload` against the real server: which lines it pays, and how it names those that it does not.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { CLI_PROGRAM, keysOf } from '../../support/built-client.ts'
import { type CliResult, jsonLines, runCli, runProgram } from '../../support/cli.ts'
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
  folder = mkdtempSync(join(tmpdir(), 'cauri-csv-'))
})

after(() => rmSync(folder, { recursive: true }))

async function environmentOf(of: Merchant): Promise<Readonly<Record<string, string>>> {
  const { publicKey, secretKey } = await keysOf(server, of)
  return { CAURI_URL: server.process.baseUrl, CAURI_API_KEY: publicKey, CAURI_API_SECRET: secretKey }
}

const cauri = (line: string, more: object = {}): Promise<CliResult> => runCli(line.split(' '), { env, ...more })

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
  writeFileSync(join(folder, 'paie.csv'), 'recipient,amount\n@awa_demo,5\n')
  const changed = await cauri('batch upload paie.csv --run-id paie-11', mine)
  assert.equal(changed.code, 1)
  assert.match(changed.stderr, /lines 2 to 2: the run id paie-11 belongs to other lines.* new --run-id.* The service: This idempotency key/)
  const [payout] = (await own.test.get<{ data: { reference: string }[] }>('/v1/biz/payouts?limit=1')).body.data
  assert.equal(payout?.reference, 'L "619"')
})

const FILES: Readonly<Record<string, readonly [text: string | Buffer, said: RegExp, code: number]>> = {
  'a file without the columns': [
    'who,how much\nawa,5\n',
    /no column is "recipient".* unknown column: who, how much\. Read: A "who", B "how much"/,
    1,
  ],
  'an amount with a point': ['recipient,amount\nawa,5\nkofi,5.5\n', /line 3: the amount "5\.5" is no whole number/, 1],
  'an amount with two readings': ['recipient,amount\nawa,"1,000"\n', /line 2: the amount "1,000" can be read as 1 000 or 1:/, 1],
  'an amount with a comma that is not quoted': [
    'recipient,amount\nawa,1,000\n',
    /line 2: the amount "1,000" can be read as 1 000 or 1:/,
    1,
  ],
  'an amount with a comma in front of another column': [
    'recipient,amount,reference\nawa,500,001\n',
    /line 2: the amount "500,001" can be read as 500 001 or 500:/,
    1,
  ],
  'a row that is longer than the first': ['recipient,amount\nawa,1000,AB\n', /line 2: the row has 3 cells for 2 columns/, 1],
  'an amount with a blank elsewhere than between thousands': ['recipient,amount\nawa,5 0\n', /line 2: .* is no number/, 1],
  'a row of three digits in front of others with semicolons': [`recipient;amount;reference\n${newTag()};500;001\n`, /would fail/, 5],
  'a column that is named twice': ['recipient,amount,amount\nawa,1000,5\n', /several columns are "amount"/, 1],
  'a column that is not known': ['recipient,amount,age\nawa,1000,5\n', /unknown column: age/, 1],
  'a file without names': ['awa,1000\n', /The first row must name the columns/, 1],
  'a negative amount': ['recipient,amount\nawa,-500\n', /line 2: the amount "-500" is negative/, 1],
  'an amount that is missing': ['recipient,amount\nawa,\n', /line 2: the amount is missing/, 1],
  'a phone without its country': ['recipient,amount\n771234567,5\n', /line 2: "771234567" is a phone without its country/, 1],
  'a quote that is left open': [
    'recipient,amount\nawa,5\n"kofi,5\nmoussa,7\n',
    /Line 3: a quote is open and never closed\. Nothing was read/,
    1,
  ],
  'a file without lines': ['recipient,amount\n', /no lines/, 2],
  'a line that fails': [`recipient,amount\n\n@${newTag()},5\n`, /line 3 +recipient_not_found/, 5],
}

for (const [what, [text, said, code]] of Object.entries(FILES)) {
  test(`${what} is reported with exit code ${code}`, async () => {
    writeFileSync(join(folder, 'wrong.csv'), text)
    const result = await cauri('batch upload wrong.csv --dry-run', { cwd: folder })
    assert.match(result.stdout + result.stderr, said)
    assert.equal(result.code, code)
  })
}

test('a dry run lists every wrong line, failure and duplicate by the line of the file, and an upload of it pays nothing', async () => {
  const unknown = newTag()
  const rows = ['recipient,amount,reference', `${tag},100,A`, `${tag},-500,B`, `${unknown},5,C`, `"${tag}","1,000",D`, `${tag},100,A`]
  writeFileSync(join(folder, 'many.csv'), `${rows.join('\n')}\n`)
  const own = { cwd: folder }
  const dry = await cauri('batch upload many.csv --dry-run', own)
  assert.equal(dry.code, 1, dry.stderr)
  assert.match(dry.stdout, /^line 3: the amount "-500" is negative.*\nline 5: the amount "1,000" can be read as/)
  assert.match(dry.stdout, /^would pay 2 of 5 lines, 200 XOF/m)
  assert.match(dry.stdout, new RegExp(`^1 line would fail, 5 XOF:\n {2}line 4 {2}recipient_not_found {2}${unknown} {2}5 {2}C$`, 'm'))
  assert.match(dry.stdout, new RegExp(`^1 warning; .*:\n {2}line 6 {2}duplicate_line {2}${tag} {2}100 {2}A$`, 'm'))
  assert.match(dry.stdout, /^2 lines cannot be read/m)
  const json = jsonLines(await cauri('batch upload many.csv --dry-run --json', own))
  assert.deepEqual(
    json.slice(0, 2).map(({ line }) => line),
    [3, 5],
  )
  assert.deepEqual(
    [json[2]?.failed_lines, json[2]?.warnings],
    [[{ line: 4, failure_code: 'recipient_not_found' }], [{ line: 6, code: 'duplicate_line' }]],
  )
  assert.deepEqual([json[3]?.lines, json[3]?.unreadable_count, json[3]?.warning_count], [3, 2, 1])
  const real = await cauri('batch upload many.csv', own)
  assert.deepEqual([real.code, /^2 lines cannot be read: nothing was paid$/m.test(real.stderr)], [1, true], real.stderr)
  assert.match(real.stdout, /^line 3: .*\nline 5: /)
  assert.deepEqual(jsonLines(await cauri(`payouts list --recipient ${tag} --reference A --json`)), [])
})

test('a quote inside a field ends at no other row, and a quoted number is no part of the amount', async () => {
  const own = await server.fundedMerchant(10_000)
  const first = await server.wallet(own)
  const second = await server.wallet(own)
  const rows = ['recipient,amount,reference,note,,,', `${first},100,"001",écran 5"`, `${second},200,,écran 7"`, `${first}," 1 000 ",,`]
  writeFileSync(join(folder, 'inches.csv'), `${rows.join('\n')}\n`)
  const paid = await cauri('batch upload inches.csv', { env: await environmentOf(own), cwd: folder })
  assert.match(paid.stdout, /^paid 3 of 3 lines, 1 300 XOF/m, paid.stdout + paid.stderr)
  const { data } = (await own.test.get<{ data: { recipient: string; amount: number; note: string }[] }>('/v1/biz/payouts')).body
  assert.deepEqual(data.map(({ recipient, amount, note }) => [recipient, amount, note]).reverse(), [
    [first, 100, 'écran 5"'],
    [second, 200, 'écran 7"'],
    [first, 1000, ''],
  ])
})

test('an upload with failed lines says how they are paid without the others', async () => {
  writeFileSync(join(folder, 'failed.csv'), `recipient,amount\n${tag},5\n${newTag()},5\n`)
  const { code, stdout } = await cauri('batch upload failed.csv', { cwd: folder })
  assert.deepEqual([code, /in a file of their own: this file with changes is another run, and pays all/.test(stdout)], [5, true], stdout)
})

test('a second start after a rejection keeps the run id, whatever the file is then', async () => {
  writeFileSync(join(folder, 'away.csv'), `recipient,amount\n${tag},5\n`)
  const { code, stderr } = await cauri('batch upload away.csv --reference '.concat('r'.repeat(300)), { cwd: folder })
  assert.deepEqual([code, /again with --run-id file-[0-9a-f]{32}: it goes on/.test(stderr)], [1, true], stderr)
})

test('a dry run warns of a duplicate that is more than 500 lines behind the first', async () => {
  const rows = Array.from({ length: 510 }, (_, index) => `${tag},1,FAR-${index}`)
  writeFileSync(join(folder, 'far.csv'), `recipient,amount,reference\n${[...rows, rows[4]].join('\n')}\n`)
  const { stdout } = await cauri('batch upload far.csv --dry-run', { cwd: folder })
  assert.match(stdout, new RegExp(`^1 warning; .*:\n {2}line 512 {2}duplicate_line {2}${tag} {2}1 {2}FAR-4$`, 'm'))
  const json = jsonLines(await cauri('batch upload far.csv --dry-run --json', { cwd: folder }))
  assert.deepEqual(
    json.map(({ warnings, warning_count: count }) => warnings ?? count),
    [[], [{ line: 512, code: 'duplicate_line' }], 1],
  )
})

test('a dry run that the balance does not cover says how much is missing, and shows other failures first', async () => {
  const own = await server.fundedMerchant(105)
  const wallet = await server.wallet(own)
  const mine = { env: await environmentOf(own), cwd: folder }
  const unknown = newTag()
  const rows = [...Array.from({ length: 60 }, (_, index) => `${wallet},10,S-${index}`), `${unknown},5,T`]
  writeFileSync(join(folder, 'short.csv'), `recipient,amount,reference\n${rows.join('\n')}\n`)
  const dry = await cauri('batch upload short.csv --dry-run', mine)
  assert.equal(dry.code, 5, dry.stderr)
  assert.match(dry.stdout, /^would pay 10 of 61 lines, 100 XOF/m)
  assert.match(
    dry.stdout,
    new RegExp(`^51 lines would fail, .*:\n {2}line 62 +recipient_not_found +${unknown} +5 +T\n {2}line 12 +insuff`, 'm'),
  )
  assert.match(dry.stdout, /^the balance of 105 XOF does not cover all lines together: they need 600 XOF, 495 XOF more$/m)
  const sum = jsonLines(await cauri('batch upload short.csv --dry-run --json', mine)).at(-1)
  assert.deepEqual([sum?.available, sum?.needed_amount, sum?.is_balance_short], [105, 600, true])
})

test('the lines that failed are written into a file of their own, which pays them alone', async () => {
  const own = await server.fundedMerchant(1000)
  const [first, second] = [await server.wallet(own), await server.wallet(own)]
  const mine = { env: await environmentOf(own), cwd: folder }
  const unknown = newTag()
  const rows = ['recipient;amount;reference;note', `@${first};"100";A;`, `@${unknown};50;"B, ""2""";Prime`, `@${second};70;C;`]
  writeFileSync(join(folder, 'part.csv'), `${rows.join('\n')}\n`.replaceAll(', ', ' '))
  const paid = await cauri('batch upload part.csv --run-id part', mine)
  assert.equal(paid.code, 5, paid.stderr)
  assert.match(paid.stderr, /run the same command again with --run-id part --unpaid rest\.csv: .* pays nothing again$/m)
  const again = await cauri('batch upload part.csv --run-id part --unpaid rest.csv', mine)
  assert.equal(again.code, 5, again.stderr)
  assert.match(again.stderr, /^rest\.csv has the lines that failed$/m)
  const rest = readFileSync(join(folder, 'rest.csv'), 'utf8')
  assert.equal(rest, `recipient;amount;reference;note\n@${unknown};50;"B ""2""";Prime\n`)
  writeFileSync(join(folder, 'rest.csv'), rest.replace(unknown, second))
  const other = await cauri('batch upload rest.csv --run-id part-rest --unpaid none.csv', mine)
  assert.equal(other.code, 0, other.stderr)
  assert.equal(readFileSync(join(folder, 'none.csv'), 'utf8'), 'recipient;amount;reference;note\n')
  assert.match((await cauri('balance', mine)).stdout, /780 XOF/)
})

test('--unpaid refuses a dry run, the uploaded file and a folder that there is not', async () => {
  writeFileSync(join(folder, 'keep.csv'), `recipient,amount\n${tag},5\n`)
  for (const words of ['--unpaid rest.csv --dry-run', '--unpaid ./keep.csv', '--unpaid nowhere/rest.csv']) {
    assert.equal((await cauri(`batch upload keep.csv ${words}`, { cwd: folder })).code, 2, words)
  }
  assert.equal(readFileSync(join(folder, 'keep.csv'), 'utf8'), `recipient,amount\n${tag},5\n`)
})

test('standard input is a file, by its sign, by its path and as a process of the shell', async () => {
  const own = await server.fundedMerchant(10_000)
  const wallet = await server.wallet(own)
  const mine = { env: await environmentOf(own), cwd: folder, input: `destinataire;montant\n@${wallet};1 000,00\n` }
  for (const [path, runId] of [
    ['-', 'in-1'],
    ['/dev/stdin', 'in-2'],
  ]) {
    const paid = await runProgram(`batch upload ${path} --run-id ${runId}`.split(' '), mine)
    assert.match(paid.stdout, /^paid 1 of 1 line, 1 000 XOF/m, paid.stderr)
  }
  const shell = ['-c', `"$@" batch upload <(printf 'tag;montant\\n${wallet};500\\n') --run-id in-3`, 'bash', process.execPath, CLI_PROGRAM]
  const { stdout, stderr } = await promisify(execFile)('bash', shell, { env: { PATH: process.env.PATH, ...mine.env } })
  assert.match(stdout, /^paid 1 of 1 line, 500 XOF/m, stderr)
  assert.match((await cauri('balance', mine)).stdout, /7 500 XOF/)
  const empty = await cauri('batch upload -', { ...mine, input: '' })
  assert.deepEqual([empty.code, empty.stdout], [1, ''])
})

test('phones without their country are completed by --country and named, and what was understood is printed', async () => {
  writeFileSync(join(folder, 'phones.csv'), 'Téléphone;Montant;Motif\n77 123 45 67;25 000;Août\n')
  const { stderr } = await cauri('batch upload phones.csv --dry-run --country 221', { cwd: folder })
  assert.match(
    stderr,
    /^read recipient in A "Téléphone", amount in B "Montant", note in C "Motif": 1 line, 25 000 XOF, at most 25 000 XOF/m,
  )
  assert.match(stderr, /^1 phone got a calling code or a \+, the first 77 123 45 67: \+221771234567$/m)
  assert.equal((await cauri('batch upload phones.csv --dry-run --country 999', { cwd: folder })).code, 2)
})
