// Each client that the documents show, the package in both of its forms, and the command, behind a proxy that cuts, delays, redirects and answers
// with pages at every point: nothing is paid twice, nothing counts as paid that is not known to be, and the key is in every error.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openExamples, settingsOf } from '../support/docs-examples.ts'
import { ANSWER_PARTS, type AnswerPart, type Deed, FaultyHttpProxy } from '../support/faulty-http-proxy.ts'
import { interpreterMissing, runProgram } from '../support/interpreters.ts'
import type { Merchant, TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'

interface Scenario {
  /** What happens to the requests, in order; then all are passed on. */
  readonly deeds: readonly Deed[]
  readonly ends: 'paid' | 'error'
}

const HTML = { 'Content-Type': 'text/html' } as const
const PAGE = '<!doctype html><h1>Bad Gateway</h1>'
const page = (status: number, body = PAGE): Deed => ({ status, headers: HTML, body })
const ATTEMPT_S = 5
const BUSY: Deed = { status: 429, headers: { 'Retry-After': '0' }, body: '{"code":"rate_limited","message":"Trop de requêtes."}' }

const CUTS = (Object.keys(ANSWER_PARTS) as AnswerPart[]).flatMap((part) =>
  [true, false].map((isFramed): readonly [string, Deed] => [`${part}${isFramed ? '' : ', without a length'}`, { part, isFramed }]),
)

/** Each client is set to two attempts of ATTEMPT_S: time that an honest answer has on a busy machine. */
const ONCE: Readonly<Record<string, Deed>> = {
  'a connection that is cut before the request arrives': 'cut-before',
  'an answer that is lost': 'cut-after',
  'an answer that never comes': 'hold',
  ...Object.fromEntries(CUTS.map(([what, deed]) => [`an answer of which comes ${what}`, deed])),
  ...Object.fromEntries([500, 502, 503, 504, 200, 201].map((status) => [`a page with ${status}`, page(status)])),
  'an error of the service with 500': { status: 500, body: '{"code":"internal_error","message":"Erreur."}' },
  'an error of nginx with 502': { status: 502, body: '{"code":"unavailable","message":"Indisponible."}' },
  'a full bucket': BUSY,
  'a success without a body': page(200, ''),
  'a success that is no object': { status: 201, body: 'null' },
}

const redirect = (status: number, location: string): Deed => ({ status, headers: { ...HTML, Location: location }, body: PAGE })

function scenarios(elsewhere: string): Readonly<Record<string, Scenario>> {
  const once = Object.entries(ONCE).map(([what, deed]): [string, Scenario] => [`${what}, once`, { deeds: [deed], ends: 'paid' }])
  const always = Object.entries(ONCE).map(([what, deed]): [string, Scenario] => [`${what}, always`, { deeds: [deed, deed], ends: 'error' }])
  const redirects = [301, 302, 303, 307, 308].map((status): [string, Scenario] => [
    `a redirect with ${status} to another host`,
    { deeds: [redirect(status, `${elsewhere}/v1/biz/payouts`)], ends: 'error' },
  ])
  return Object.fromEntries([...once, ...always.filter(([what]) => !what.includes('never comes')), ...redirects])
}

const BODY = { amount: 10, reference: 'FAUTE' }
const PAYOUT = `{ recipient: process.env.RECIPIENT, amount: ${BODY.amount}, reference: '${BODY.reference}' }`
const NODE_LOOP = `const { inspect } = require('node:util')
const keys = { publicKey: process.env.CAURI_API_KEY, secretKey: process.env.CAURI_API_SECRET }
async function main() {
  for (const baseUrl of process.argv.slice(2)) {
    const cauri = new Cauri({ baseUrl, ...keys, timeoutMs: ${ATTEMPT_S}000, retry: { retries: 1, baseMs: 1 } })
    const line = await cauri.payouts.create(${PAYOUT}).then(({ state }) => state, (error) => 'error ' + inspect(error))
    console.log(line.replaceAll(/\\s+/g, ' '))
  }
}
main()`

/** Programs that pay one wallet at each address, and print a line for each. */
const PROGRAMS = {
  sh: `. ./cauri.sh
for CAURI_URL in "$@"; do
  if answer=$(cauri POST /v1/biz/payouts '{"recipient": "'$RECIPIENT'", "amount": 10, "reference": "FAUTE"}' 2> errors.txt); then
    printf '%s\\n' "$answer" | sed 's/.*"state":"\\([a-z]*\\)".*/\\1/'
  else
    echo "error $(tr '\\n' ' ' < errors.txt)"
  fi
done`,
  command: `pay() {
  if answer=$(node node_modules/@cauri/node/dist/cli.js payouts create --json --retries 1 --url "$2" \\
    --recipient "$RECIPIENT" --amount 10 --reference FAUTE 2> "errors-$1.txt"); then
    printf '%s\\n' "$answer" | grep -o '"state": *"[a-z]*"' | sed 's/.*"\\([a-z]*\\)"/\\1/'
  else
    echo "error $(tr '\\n' ' ' < "errors-$1.txt")"
  fi
}
count=0
for url in "$@"; do
  count=$((count + 1))
  pay $count "$url" > "line-$count.txt" &
  [ $((count % 4)) = 0 ] && wait
done
wait
for number in $(seq $count); do cat "line-$number.txt"; done`,
  mjs: `import { createRequire } from 'node:module'
import { Cauri } from '@cauri/node'
const require = createRequire(import.meta.url)
${NODE_LOOP}`,
  cjs: `const { Cauri } = require('./node_modules/@cauri/node/dist/cjs/index.js')
${NODE_LOOP}`,
  py: `import os, sys, cauri
body = {"recipient": os.environ["RECIPIENT"], "amount": 10, "reference": "FAUTE"}
for cauri.URL in sys.argv[1:]:
    try:
        print(cauri.call("POST", "/v1/biz/payouts", body)["state"])
    except Exception as error:
        print("error", " ".join(str(error).split()))`,
  php: `<?php
require 'cauri.php';
$body = ['recipient' => getenv('RECIPIENT'), 'amount' => 10, 'reference' => 'FAUTE'];
foreach (array_slice($argv, 1) as $url) {
    putenv("CAURI_URL=$url");
    try {
        echo cauri('POST', '/v1/biz/payouts', $body)['state'], "\\n";
    } catch (Throwable $error) {
        echo 'error ', preg_replace('/\\s+/', ' ', $error->getMessage()), "\\n";
    }
}`,
} as const

/** Limits of the small clients that the test lowers: waits of none, two attempts of ATTEMPT_S. */
const LOWERED: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  'cauri.sh': [
    ['CAURI_ATTEMPTS=5', 'CAURI_ATTEMPTS=2'],
    ['CAURI_TIMEOUT_S=30', `CAURI_TIMEOUT_S=${ATTEMPT_S}`],
    ['wait=$((2 ** (attempt - 1)))', 'wait=0'],
  ],
  'cauri.py': [
    ['ATTEMPTS = 5', 'ATTEMPTS = 2'],
    ['TIMEOUT_S = 30', `TIMEOUT_S = ${ATTEMPT_S}`],
    ['wait = 2**attempt / 4', 'wait = 0'],
  ],
  'cauri.php': [
    ['const CAURI_ATTEMPTS = 5', 'const CAURI_ATTEMPTS = 2'],
    ['const CAURI_TIMEOUT_S = 30', `const CAURI_TIMEOUT_S = ${ATTEMPT_S}`],
    ['$wait = 2 ** $attempt / 4', '$wait = 0'],
  ],
}

/** The command takes no time for an attempt: that of its package is lowered. */
const LOWERED_COMMAND = [
  [/\bATTEMPT_MAX_MS = 3e4\b/, `ATTEMPT_MAX_MS = ${ATTEMPT_S}e3`],
  [/\bBACKOFF_BASE_MS = 250\b/, 'BACKOFF_BASE_MS = 1'],
] as const

const LANGUAGES = { cjs: 'mjs', command: 'sh' } as const

/** Lowers the limits wherever the bundler has put them. */
function lowerCommand(dist: string): void {
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
  for (const [limit, lowered] of LOWERED_COMMAND) {
    const holding = files.filter((name) => limit.test(readFileSync(join(dist, name), 'utf8')))
    assert.equal(holding.length, 1, String(limit))
    const path = join(dist, String(holding[0]))
    writeFileSync(path, readFileSync(path, 'utf8').replace(limit, lowered))
  }
}

let server: TestServer
let merchant: Merchant
let recipient: string
let elsewhere: FaultyHttpProxy
let folder: string

before(async () => {
  server = await sharedServer()
  merchant = await server.fundedMerchant(1_000_000)
  recipient = await server.wallet(merchant)
  elsewhere = await FaultyHttpProxy.start(server.process.port)
  folder = await openExamples()
  for (const [file, changes] of Object.entries(LOWERED)) {
    let text = readFileSync(join(folder, file), 'utf8')
    for (const [from, to] of changes) {
      assert.ok(text.includes(from), `${file} has ${from}`)
      text = text.replace(from, to)
    }
    writeFileSync(join(folder, file), text)
  }
  lowerCommand(join(folder, 'node_modules', '@cauri', 'node', 'dist'))
})

after(async () => {
  await elsewhere.close()
  rmSync(folder, { recursive: true, force: true })
})

async function paidUnder(key: string): Promise<number> {
  const { body } = await merchant.test.get<{ data: unknown[] }>(`/v1/biz/payouts?state=paid&idempotency_key=${encodeURIComponent(key)}`)
  return body.data.length
}

for (const [ending, program] of Object.entries(PROGRAMS)) {
  const language = ending === 'cjs' || ending === 'command' ? LANGUAGES[ending] : (ending as 'sh' | 'mjs' | 'py' | 'php')
  test(`the client in ${ending} pays once, or fails with the key of its request, behind every fault`, {
    skip: interpreterMissing(language),
  }, async (test) => {
    const rows = Object.entries(scenarios(elsewhere.url))
    const proxies = await Promise.all(rows.map(() => FaultyHttpProxy.start(server.process.port)))
    // A proxy that listens keeps the process, also after a row that failed.
    test.after(() => Promise.all(proxies.map((proxy) => proxy.close())))
    for (const [index, [, { deeds }]] of rows.entries()) (proxies[index] as FaultyHttpProxy).deeds = [...deeds]
    writeFileSync(join(folder, `faults.${ending}`), program)
    const settings = { ...(await settingsOf(server, merchant, '')), RECIPIENT: recipient }
    const { isGood, output } = await runProgram(language, [`faults.${ending}`, ...proxies.map(({ url }) => url)], folder, settings)
    assert.ok(isGood, output)
    const lines = output.trim().split('\n')
    assert.equal(lines.length, rows.length, output)
    for (const [index, [what, { deeds, ends }]] of rows.entries()) {
      const { seen } = proxies[index] as FaultyHttpProxy
      const [key = '', ...others] = new Set(seen.map(({ headers }) => String(headers['idempotency-key'])))
      assert.deepEqual([others, seen.length], [[], ends === 'paid' ? 2 : deeds.length], `${what}: ${lines[index]}`)
      assert.match(lines[index] ?? '', ends === 'paid' ? /^paid$/ : /^error /, what)
      const count = await paidUnder(key)
      if (ends === 'paid') assert.equal(count, 1, what)
      else assert.ok(count <= 1 && lines[index]?.includes(key), `${what}: ${lines[index]}`)
      if (what.startsWith('a redirect')) assert.ok(lines[index]?.includes(`${elsewhere.url}/v1/biz/payouts`), lines[index])
    }
    assert.deepEqual(elsewhere.seen, [])
  })
}
