// The data folder that the bench makes for Cauri, the server on it, and rival N held against that server's answer.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCauri } from '../../bench/cauri/cauri-server.ts'
import { addTail, fillDataFolder } from '../../bench/cauri/data-folder.ts'
import { bytesPerFlush, readFlushes } from '../../bench/cauri/flushes.ts'
import { OfflineEngine } from '../../bench/cauri/offline-engine.ts'
import { inventMerchantKeys, MERCHANT_FUNDS, PAYOUT, payoutShapes, walletTag } from '../../bench/load/population.ts'
import { startNoOpRival } from '../../bench/rivals/no-op-rival.ts'
import { engineApi } from '../../engine/api.ts'
import { ApiKeys } from '../../http/auth/keys/api-keys.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const WALLETS = 30
const PAYOUTS = 60
const merchants = inventMerchantKeys(2)
const masterKey = randomBytes(32)
const folder = mkdtempSync(join(tmpdir(), 'cauri-bench-test-'))
/** Made once; each test opens a copy of its own. */
const template = join(folder, 'template')

before(async () => {
  await fillDataFolder({ dataDir: template, masterKey, merchants, wallets: WALLETS })
  await addTail({ dataDir: template, merchants, wallets: WALLETS, payouts: PAYOUTS })
})

after(() => rmSync(folder, { recursive: true, force: true }))

test('merchants can pay, every wallet got its share, and the payouts are a log tail behind the snapshot', async () => {
  const dataDir = join(folder, 'offline')
  cpSync(template, dataDir, { recursive: true })
  await OfflineEngine.using({ dataDir, snapshot: 'frozen' }, async ({ engine }) => {
    const { accounts, wallets } = engine.state
    assert.equal(engine.recovered.replayedRecords, PAYOUTS)
    assert.equal(engine.recovered.lastSequence - engine.recovered.snapshotSequence, PAYOUTS)
    const keys = new ApiKeys(engineApi(engine))
    for (const { publicKey, secretKey } of merchants) {
      const principal = keys.check(publicKey, secretKey)
      assert.ok(principal !== null)
      assert.deepEqual([principal.environment, principal.scopes], ['live', ['disbursements.write', 'billers.write']])
      assert.equal(accounts.balance(principal.account), MERCHANT_FUNDS - (PAYOUTS / merchants.length) * PAYOUT.amount)
    }
    assert.equal(wallets.size, WALLETS)
    for (let index = 0; index < WALLETS; index++) {
      const wallet = wallets.byTag('live', walletTag(index))
      assert.ok(wallet !== undefined)
      assert.equal(accounts.balance(wallet.account), (PAYOUTS / WALLETS) * PAYOUT.amount)
    }
  })
})

test('Cauri starts on it and pays, and rival N answers the very same number of bytes, header by header', async (t) => {
  const dataDir = join(folder, 'served')
  cpSync(template, dataDir, { recursive: true })
  const noOp = await startNoOpRival(PROJECT)
  t.after(() => noOp.stop())
  const cauri = await startCauri({
    dataDir,
    masterKey,
    projectFolder: PROJECT,
    profileFolder: null,
    isInspected: false,
    httpThreads: 0,
    traceFile: null,
    rateLimit: 0,
  })
  t.after(() => cauri.stop())
  assert.equal(cauri.recovery.replayedRecords, PAYOUTS)
  const flushesBefore = await readFlushes(cauri.port)
  const answer = await pay(cauri.port)
  assert.match(answer.body, /"state":"paid"/)
  const bytes = bytesPerFlush(flushesBefore, await readFlushes(cauri.port))
  assert.ok(bytes !== null && bytes > answer.body.length)
  const rival = await pay(noOp.port)
  assert.deepEqual(shapeOf(rival), shapeOf(answer))
})

interface Answer {
  readonly message: IncomingMessage
  readonly body: string
}

/** The first payout of a run, as the load generator sends it. */
function pay(port: number): Promise<Answer> {
  const [shape] = payoutShapes(merchants, WALLETS)
  assert.ok(shape !== undefined)
  const filled = (text: string): string => text.replace(/\{\{\w+:(\d+)(?::\d+)?\}\}/g, (_, width: string) => '0'.repeat(Number(width)))
  const headers = Object.fromEntries(Object.entries(shape.headers).map(([name, value]) => [name, filled(value)]))
  return new Promise((resolve, reject) => {
    const { method, path } = shape
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => resolve({ message, body: Buffer.concat(chunks).toString('utf8') }))
    })
    sent.on('error', reject)
    sent.end(filled(shape.body))
  })
}

/** Status line, header names in their order, how long each value is, and the body's fields likewise. */
function shapeOf({ message, body }: Answer): unknown {
  const { statusCode, statusMessage, rawHeaders } = message
  const headers = rawHeaders.map((text, index) => (index % 2 === 0 ? text : text.length))
  const fields = Object.entries(JSON.parse(body) as object).map(([name, value]) => [name, JSON.stringify(value).length])
  return { statusCode, statusMessage, headers, fields, bytes: Buffer.byteLength(body) }
}
