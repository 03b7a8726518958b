// verify, backup and restore over a log in PostgreSQL: what they find, what they refuse, and that a copy is as good as its source.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { readPlace } from '../../../wal/tools/log-place.ts'
import { openSource } from '../../../wal/tools/log-source.ts'
import { walkLog } from '../../../wal/tools/log-walk.ts'
import { verifyFolder, verifyPlace } from '../../../wal/tools/verify.ts'
import { nodesOf } from '../../support/cluster-fixture.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { BatchSource, mustAppend } from '../../support/log-batches.ts'
import { backUp, runTool } from '../../support/log-moves.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { fillLog, ownLog } from '../../support/postgres-log.ts'
import { makeHistory, openEngine } from '../../support/real-engine.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

describe('the tools over PostgreSQL', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let database: string
  let url: string

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  async function newUrl(): Promise<string> {
    database = await newDatabase(pair.primary)
    url = pair.primary.url(database)
    return url
  }

  it('verify reads a log in PostgreSQL from its first record to its last, through a list of hosts that begins with a standby', async (test) => {
    scratchFolder(test)
    const source = await fillLog(test, await newUrl(), 20)
    const hosts = `postgres://bench@127.0.0.1:${pair.standby.port},127.0.0.1:${pair.primary.port}/${database}`
    const sound = runTool('verify', hosts)
    assert.equal(sound.status, 0, sound.stderr)
    assert.match(sound.stdout, /40 records in 20 batches/)
    assert.match(sound.stdout, new RegExp(source.hash))
    assert.match(sound.stdout, /everything is in order/)
  })

  /** Its records and its checksum are right, but it names another batch before it. */
  const exchanged = (): string => `'\\x${Buffer.from(BatchSource.after(2, 'ab'.repeat(32)).next(2).bytes).toString('hex')}'`

  const damages: readonly (readonly [what: string, sql: () => string, fault: RegExp])[] = [
    ['a missing row', () => 'delete from cauri.log where sequence = 5', /sequence 5 is missing/],
    [
      'a changed byte',
      () => 'update cauri.log set batch = set_byte(batch, 200, get_byte(batch, 200) # 1) where sequence = 7',
      /the row of sequence 7 is damaged: the checksum of the batch at sequence 7 is wrong/,
    ],
    ['a row that is no batch', () => "update cauri.log set batch = '\\x00' where sequence = 9", /row of sequence 9 is damaged/],
    [
      'a batch with a wrong hash of the one before',
      () => `update cauri.log set batch = ${exchanged()} where sequence = 3`,
      /the batch at sequence 3 does not continue the one before it/,
    ],
    [
      'a wrong count of records',
      () => 'update cauri.log set record_count = 3 where sequence = 3',
      /row of sequence 3 counts 3 records, its batch 2/,
    ],
    ['a missing end', () => 'delete from cauri.log where sequence = 11', /ends at sequence 12, but only 10/],
    ['a row beyond the end', () => 'update cauri.owner set last_sequence = 10', /sequence 11 lies beyond the end 10/],
    ['another last hash', () => "update cauri.owner set last_hash = 'cd'", /the owner row says cd/],
    ['an epoch that goes back', () => 'update cauri.log set epoch = 7 where sequence = 1', /row of sequence 3 has epoch 1 after epoch 7/],
  ]
  for (const [what, sql, fault] of damages) {
    it(`verify finds ${what} in PostgreSQL and names it`, async (test) => {
      scratchFolder(test)
      await fillLog(test, await newUrl(), 6)
      await pair.primary.run(sql(), database)
      const source = closeLater(test, await openSource(readPlace(url), 'verify'))
      const report = await walkLog(source.log)
      assert.match(report.fault ?? source.endFault(report.lastHash) ?? '', fault)
    })
  }

  it('verify says that a database has no log, and creates nothing in it', async () => {
    await newUrl()
    const { faults } = await verifyPlace(readPlace(url))
    assert.match(faults.join(' '), /There is no log in this PostgreSQL database/)
    assert.deepEqual(await pair.primary.run("select from pg_namespace where nspname = 'cauri'", database), [])
    const unreachable = await verifyPlace(readPlace('postgres://bench@127.0.0.1:1/none'))
    assert.match(unreachable.faults.join(' '), /ECONNREFUSED/)
  })

  it('backup copies the log of a running owner up to its end at that moment, and the owner goes on', async (test) => {
    const backup = join(scratchFolder(test), 'backup')
    const log = await ownLog(test, await newUrl())
    const source = new BatchSource()
    const next = () => ({ ...source.next(3, 2000), epoch: log.epoch })
    for (let count = 0; count < 50; count++) await mustAppend(log, next())
    let isCopied = false
    const copying = backUp(url, backup).finally(() => {
      isCopied = true
    })
    while (!isCopied) await mustAppend(log, next())
    const { figures, verdict } = await copying
    assert.deepEqual(verdict.faults, [])
    assert.ok(figures.lastSequence >= 150 && figures.lastSequence <= source.lastSequence)
    assert.equal((await verifyFolder(backup)).log?.lastHash, figures.lastHash)
    await mustAppend(log, next())
  })

  it('a backup of a cluster is restored into an empty database and into a folder, and both go on', async (test) => {
    const scratch = scratchFolder(test)
    const [data, backup, folder] = ['data', 'backup', 'restored'].map((name) => join(scratch, name)) as [string, string, string]
    const opened = await openDataFolder({ dataDir: data, onWarning: assert.fail })
    const engine = await openEngine(opened)
    const merchant = await makeHistory(engine, 40)
    const balance = engine.state.accounts.balance(merchant)
    await engine.close()
    await opened.close()
    await newUrl()
    assert.deepEqual((await backUp(data, url)).verdict.faults, [])
    assert.deepEqual((await backUp(url, backup)).verdict.faults, [])
    assert.deepEqual((await backUp(backup, folder)).verdict.faults, [])
    const again = closeLater(test, await openDataFolder({ dataDir: folder, onWarning: assert.fail }))
    const revived = await openEngine(again)
    assert.equal(revived.state.accounts.balance(merchant), balance)
    await revived.close()
    const node = await nodesOf(test, url)('a')
    // A node starts before it has applied the whole log.
    await eventuallyAsync(async () => node.engine.state.accounts.count > merchant, 'the account of the merchant')
    assert.equal(node.engine.state.accounts.balance(merchant), balance)
    await assert.rejects(backUp(backup, url), { code: 'log_in_use', message: /in use by a/ })
  })

  it('backup copies no damage: it refuses the log and leaves no log behind', async (test) => {
    const target = join(scratchFolder(test), 'backup')
    await fillLog(test, await newUrl(), 6)
    await pair.primary.run('update cauri.log set batch = set_byte(batch, 200, get_byte(batch, 200) # 1) where sequence = 7', database)
    await assert.rejects(backUp(url, target), { code: 'log_damaged', message: /sequence 7/ })
    await assert.rejects(openDataFolder({ dataDir: target, onWarning: assert.fail }), { code: 'log_missing', message: /not complete/ })
  })
})
