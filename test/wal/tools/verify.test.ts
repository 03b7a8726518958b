// verify, backup and restore: what they find, what they refuse, and that a copy is as good as what it was taken from.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import { GENESIS_HASH, hashBatch } from '../../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { readManifest, writeManifest } from '../../../wal/archive/manifest.ts'
import { RowsDigest } from '../../../wal/archive/snapshot-rows.ts'
import { openStore } from '../../../wal/archive/store.ts'
import { archivePathOf, logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { LOG_MAP_BYTES } from '../../../wal/limits.ts'
import { dataFileOf } from '../../../wal/lmdb-file.ts'
import { openLmdbStore } from '../../../wal/lmdb-store.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { LmdbLogReader } from '../../../wal/log/lmdb-log-reader.ts'
import { type LogReport, walkLog } from '../../../wal/tools/log-walk.ts'
import { verifyFolder } from '../../../wal/tools/verify.ts'
import { BatchSource, FIRST_TIME_MS, mustAppend } from '../../support/log-batches.ts'
import { backUp, runTool } from '../../support/log-moves.ts'
import { makeHistory, openEngine, send } from '../../support/real-engine.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

/** A log of these records, each a batch of its own, chained as they should be. */
async function walked(path: string, records: readonly LogRecord[]): Promise<LogReport> {
  const log = await LmdbLog.open({ path })
  let hash: string = GENESIS_HASH
  for (const record of records) {
    const encoder = new BatchEncoder()
    encoder.add(record)
    const { bytes, hash: next } = encoder.finish(hash)
    hash = next
    await mustAppend(log, { partition: 0, epoch: 1, expectedSequence: record.sequence, recordCount: 1, bytes })
  }
  await log.close()
  const reader = LmdbLogReader.open(path)
  const report = await walkLog(reader)
  await reader.close()
  return report
}

function deposit(
  sequence: number,
  change: Partial<LogRecord> = {},
  debitBalance = -10 * sequence,
  creditBalance = 10 * sequence,
): LogRecord {
  const posting = { debit: 0, credit: 5, amount: 10, debitBalance, creditBalance }
  return {
    sequence,
    timeMs: FIRST_TIME_MS + sequence,
    command: 'Deposit',
    environment: 'live',
    transactions: [{ id: `t-${sequence}`, type: 'deposit', currency: 'XOF', reference: '', eventIndex: 0, postings: [posting] }],
    events: [],
    frames: [],
    idempotency: null,
    ...change,
  }
}

/** The transaction of `deposit(2)` in another currency, which this release does not know. */
function inCurrency(currency: string): Partial<LogRecord> {
  return { transactions: deposit(2).transactions.map((transaction) => ({ ...transaction, currency: currency as Currency })) }
}

describe('the walk through a log', () => {
  it('the walk through a log counts what is there', async (test) => {
    const path = join(scratchFolder(test), 'log')
    const log = await LmdbLog.open({ path })
    const source = new BatchSource()
    for (const count of [3, 1, 200]) await mustAppend(log, source.next(count))
    await log.close()
    const reader = LmdbLogReader.open(path)
    const report = await walkLog(reader)
    await reader.close()
    assert.deepEqual([report.batches, report.records, report.events, report.lastSequence], [3, 204, 204, 204])
    assert.equal(report.lastHash, source.hash)
    assert.deepEqual([report.firstTimeMs, report.lastTimeMs], [FIRST_TIME_MS + 1, FIRST_TIME_MS + 204])
    assert.equal(report.fault, null)
    const { live, test: testBook } = report.ledger
    assert.deepEqual([live.transactions, live.postings, live.accounts, live.sum], [204, 204, 8, 0])
    assert.deepEqual(testBook, { transactions: 0, postings: 0, accounts: 0, sum: 0, moved: 0 })
  })

  const wrong: [title: string, records: LogRecord[], fault: RegExp][] = [
    ['a balance that does not follow', [deposit(1), deposit(2, {}, -20, 21)], /account 5 has 20 after it, the record says 21/],
    ['an account of both environments', [deposit(1), deposit(2, { environment: 'test' })], /account 0 is of live, the posting of test/],
    ['an account of two currencies', [deposit(1), deposit(2, inCurrency('GHS'))], /account 0 is in XOF, the transaction in GHS/],
    ['a time that goes back', [deposit(1), deposit(2, { timeMs: 5 })], /time of sequence 2 is before/],
    [
      'an amount of zero',
      [
        deposit(1, {
          transactions: [
            {
              id: 't',
              type: 'deposit',
              currency: 'XOF',
              reference: '',
              eventIndex: 0,
              postings: [{ debit: 0, credit: 5, amount: 0, debitBalance: 0, creditBalance: 0 }],
            },
          ],
        }),
      ],
      /amount 0/,
    ],
  ]
  for (const [title, records, fault] of wrong) {
    it(`the walk through a log finds ${title}`, async (test) => {
      assert.match((await walked(join(scratchFolder(test), 'log'), records)).fault ?? '', fault)
    })
  }

  it('the walk through a log finds a batch that was exchanged, though its own checksum is right', async (test) => {
    const path = join(scratchFolder(test), 'log')
    const log = await LmdbLog.open({ path })
    const source = new BatchSource()
    for (let count = 0; count < 3; count++) await mustAppend(log, source.next(1))
    await log.close()
    const encoder = new BatchEncoder()
    encoder.add(deposit(2, {}, -100, 100))
    const first = new BatchSource().next(1)
    const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES })
    await store.put(2, encoder.finish(hashBatch(first.bytes)).bytes)
    await store.close()
    const reader = LmdbLogReader.open(path)
    assert.match((await walkLog(reader)).fault ?? '', /sequence 2, transaction t-2|sequence 3 does not continue/)
    await reader.close()
  })
})

describe('verify', () => {
  it('verify finds a folder of a real engine in order: the replay comes to the stored snapshot', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const folder = await openDataFolder({ dataDir, onWarning: assert.fail })
    const engine = await openEngine(folder)
    await makeHistory(engine, 120)
    await engine.close()
    await folder.close()
    const verdict = await verifyFolder(dataDir)
    assert.deepEqual(verdict.faults, [])
    assert.equal(verdict.archive?.snapshotSequence, verdict.log?.lastSequence)
    assert.equal(verdict.archive?.indexedThrough, verdict.log?.lastSequence)
    const entries = verdict.archive?.entries ?? 0
    assert.ok(entries >= 120 * 4 && entries < 120 * 5, `${entries} entries of 120 payouts without a reference`)
    assert.equal(verdict.log?.ledger.test.sum, 0)
    const store = openStore(archivePathOf(dataDir))
    store.transact(() => {
      const manifest = readManifest(store)
      const value = store.snapshot.get('accounts:0')
      assert.ok(manifest?.snapshot != null && value !== undefined)
      const richer = value.replace('"balances":[', '"balances":[1')
      const digest = new RowsDigest(manifest.snapshot.digest)
      digest.take('accounts:0', value)
      digest.add('accounts:0', richer)
      store.put(store.snapshot, 'accounts:0', richer)
      writeManifest(store, { ...manifest, snapshot: { ...manifest.snapshot, digest: digest.toString() } })
    })
    await store.close()
    const tampered = await verifyFolder(dataDir)
    assert.match(tampered.faults.join(), /differs from the replay of the log/)
  })

  it('verify says so by its exit code when a file cannot even be read', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const log = await LmdbLog.open({ path: logPathOf(dataDir) })
    const source = new BatchSource()
    for (let count = 0; count < 20; count++) await mustAppend(log, source.next(5, 4000))
    await log.close()
    const sound = runTool('verify', dataDir)
    assert.equal(sound.status, 0, sound.stderr)
    assert.match(sound.stdout, /100 records in 20 batches/)
    assert.match(sound.stdout, /everything is in order/)
    const file = dataFileOf(logPathOf(dataDir))
    truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)
    const damaged = runTool('verify', dataDir)
    assert.equal(damaged.status, 1)
    assert.match(damaged.stdout, /FAULT {4}The log (is damaged|cannot be read): /)
  })

  it('verify explains itself', () => {
    for (const name of ['verify', 'backup', 'restore']) {
      const help = runTool(name, '--help')
      assert.equal(help.status, 0)
      assert.match(help.stdout, new RegExp(`npm run ${name} -- <`))
    }
    const wrong = runTool('restore', 'one')
    assert.equal(wrong.status, 1)
    assert.match(wrong.stderr, /npm run restore/)
  })
})

describe('backup and restore', () => {
  it('backup and restore bring a running server back: the same records, the same state, and it goes on', async (test) => {
    const scratch = scratchFolder(test)
    const [dataDir, backup, restored] = [join(scratch, 'data'), join(scratch, 'backup'), join(scratch, 'restored')]
    const folder = closeLater(test, await openDataFolder({ dataDir, onWarning: assert.fail }))
    const engine = await openEngine(folder)
    const merchant = await makeHistory(engine, 60)
    writeFileSync(join(dataDir, 'master-key'), 'secret')
    const balance = engine.state.accounts.balance(merchant)
    const made = runTool('backup', dataDir, backup)
    assert.equal(made.status, 0, made.stderr)
    await send(engine, { type: 'CreateTestWallet', tag: 'after_backup' })
    const put = runTool('restore', backup, restored)
    assert.equal(put.status, 0, put.stderr)
    assert.equal(readFileSync(join(restored, 'master-key'), 'utf8'), 'secret')
    assert.equal(existsSync(join(restored, 'archive')), false)
    const again = closeLater(test, await openDataFolder({ dataDir: restored, onWarning: assert.fail }))
    const revived = await openEngine(again)
    assert.equal(revived.state.accounts.balance(merchant), balance)
    assert.equal(revived.lastSequence, engine.lastSequence - 1)
    assert.equal((await send(revived, { type: 'CreateTestWallet', tag: 'after_restore' })).kind, 'created')
    await revived.close()
    await engine.close()
  })

  it('backup and restore refuse a target that holds anything, and a source that is no data folder', async (test) => {
    const scratch = scratchFolder(test)
    const source = join(scratch, 'data')
    await (await LmdbLog.open({ path: logPathOf(source) })).close()
    const target = join(scratch, 'target')
    mkdirSync(target)
    writeFileSync(join(target, 'mine'), 'x')
    await assert.rejects(backUp(source, target), { code: 'in_use', message: /not empty/ })
    await assert.rejects(backUp(target, join(scratch, 'other')), { code: 'log_missing' })
  })

  it('backup and restore leave no data folder behind when the source is damaged', async (test) => {
    const scratch = scratchFolder(test)
    const source = join(scratch, 'data')
    const log = await LmdbLog.open({ path: logPathOf(source) })
    const batches = new BatchSource()
    let bytes: Uint8Array = new Uint8Array()
    for (let count = 0; count < 10; count++) {
      const batch = batches.next(2, 4000)
      if (count === 4) bytes = batch.bytes
      await mustAppend(log, batch)
    }
    await log.close()
    const file = dataFileOf(logPathOf(source))
    const content = readFileSync(file)
    const at = content.indexOf(Buffer.from(bytes)) + 500
    content[at] = (content[at] as number) ^ 1
    writeFileSync(file, content)
    const target = join(scratch, 'target')
    await assert.rejects(backUp(source, target), { code: 'log_damaged', message: /checksum/ })
    assert.equal(existsSync(logPathOf(target)), false)
    const refused = runTool('restore', source, target)
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /FAULT/)
  })
})
