// log-copy: a log moves between LMDB and PostgreSQL, can be interrupted, and two servers never accept both ends.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { KEY_CHECK_FILE, logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import type { LogError } from '../../../wal/log/log-error.ts'
import { identify } from '../../../wal/log/postgres-identity.ts'
import { readPlace } from '../../../wal/tools/log-place.ts'
import { verifyFolder, verifyPlace } from '../../../wal/tools/verify.ts'
import { nodesOf } from '../../support/cluster-fixture.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { append, BatchSource, mustAppend } from '../../support/log-batches.ts'
import { moveLog, runTool } from '../../support/log-moves.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { fillLog, ownLog, postgresOptions } from '../../support/postgres-log.ts'
import { makeHistory, openEngine, send } from '../../support/real-engine.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

/** A data folder with so many batches; resolves with their source. */
async function fillFolder(dataDir: string, batches: number, textBytes = 20): Promise<BatchSource> {
  const log = await LmdbLog.open({ path: logPathOf(dataDir) })
  const source = new BatchSource()
  for (let count = 0; count < batches; count++) await mustAppend(log, source.next(2, textBytes))
  await log.close()
  return source
}

describe('log-copy between data folders', () => {
  it('log-copy moves a log to a new folder: the old one is refused with the place of the new one, which goes on', async (test) => {
    const scratch = scratchFolder(test)
    const [from, to] = [join(scratch, 'from'), join(scratch, 'to')]
    const source = await fillFolder(from, 5)
    writeFileSync(join(from, KEY_CHECK_FILE), 'check')
    const moved = runTool('log-copy', '--from', from, '--to', to)
    assert.equal(moved.status, 0, moved.stderr)
    assert.match(moved.stdout, /everything is in order[\s\S]*copied {3}5 batches/)
    await assert.rejects(openDataFolder({ dataDir: from, onWarning: assert.fail }), (error: Error) => {
      assert.match(error.message, /only a copy/)
      assert.ok(error.message.includes(`the data folder ${to}`))
      return true
    })
    assert.equal(readFileSync(join(to, KEY_CHECK_FILE), 'utf8'), 'check')
    const folder = closeLater(test, await openDataFolder({ dataDir: to, onWarning: assert.fail }))
    await mustAppend(folder.log, source.next(1))
  })

  it('log-copy refuses a folder in use, a target that holds anything, and the same place twice', async (test) => {
    const scratch = scratchFolder(test)
    const [from, to] = [join(scratch, 'from'), join(scratch, 'to')]
    await fillFolder(from, 1)
    const open = await openDataFolder({ dataDir: from, onWarning: assert.fail })
    await assert.rejects(moveLog(from, to), { code: 'in_use', message: /in use by another process/ })
    await open.close()
    await fillFolder(to, 2)
    await assert.rejects(moveLog(from, to), { code: 'log_not_empty', message: /not empty/ })
    await assert.rejects(moveLog(from, `${from}/`), { code: 'in_use', message: /the same/ })
    assert.equal((await verifyFolder(from)).logNote, null)
  })

  it('log-copy explains itself, and wrong options end with its usage and exit code 1', () => {
    const help = runTool('log-copy', '--help')
    assert.equal(help.status, 0)
    assert.match(help.stdout, /npm run log-copy -- --from/)
    const wrong = runTool('log-copy', '--from', 'a', '--into', 'b')
    assert.equal(wrong.status, 1)
    assert.match(wrong.stderr, /npm run log-copy -- --from/)
  })
})

describe('log-copy to and from PostgreSQL', { skip: postgresMissing() }, () => {
  let pair: PostgresPair
  let database: string

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  async function newUrl(): Promise<string> {
    database = await newDatabase(pair.primary)
    return pair.primary.url(database)
  }

  function rows(sql: string): Promise<readonly object[]> {
    return pair.primary.run(sql, database)
  }

  it('log-copy moves a folder to PostgreSQL and back, and each end goes on where the other stopped', async (test) => {
    const scratch = scratchFolder(test)
    const [dataDir, back] = [join(scratch, 'data'), join(scratch, 'back')]
    const folder = await openDataFolder({ dataDir, onWarning: assert.fail })
    const engine = await openEngine(folder)
    const merchant = await makeHistory(engine, 30)
    const balance = engine.state.accounts.balance(merchant)
    await engine.close()
    await folder.close()
    writeFileSync(join(dataDir, KEY_CHECK_FILE), 'key')
    const url = await newUrl()
    await moveLog(dataDir, url)
    // The folder is a copy now: a node takes it as its DATA_DIR, a server without the cluster refuses it.
    await assert.rejects(openDataFolder({ dataDir, onWarning: assert.fail }), { code: 'log_moved', message: /PostgreSQL \(127/ })
    await assert.rejects(moveLog(dataDir, join(scratch, 'third')), { code: 'log_moved', message: /npm run restore/ })
    const node = await nodesOf(test, url)('a', { dataDir })
    await eventuallyAsync(async () => node.node.role === 'owning', 'the node to own the log')
    assert.equal(node.engine.state.accounts.balance(merchant), balance)
    assert.equal((await send(node.engine, { type: 'CreateTestWallet', tag: 'in_the_cluster' })).kind, 'created')
    await assert.rejects(moveLog(url, back), { code: 'log_in_use', message: /in use by a/ })
    await node.stop()
    assert.deepEqual(node.fatals, [])
    await moveLog(url, back)
    await assert.rejects(identify(postgresOptions(url), { logId: 'x', keyCheck: 'y' }), { code: 'log_moved', message: /was moved to/ })
    assert.match((await verifyPlace(readPlace(url))).logNote ?? '', /was moved to/)
    assert.equal(readFileSync(join(back, KEY_CHECK_FILE), 'utf8').trim(), 'key')
    const again = closeLater(test, await openDataFolder({ dataDir: back, onWarning: assert.fail }))
    const revived = await openEngine(again)
    assert.equal(revived.state.accounts.balance(merchant), balance)
    assert.equal((await send(revived, { type: 'CreateTestWallet', tag: 'in_the_cluster' })).kind, 'conflict')
    assert.equal((await send(revived, { type: 'CreateTestWallet', tag: 'after_it' })).kind, 'created')
    await revived.close()
  })

  it('log-copy moves a log between two databases: nodes go on at the new one with the folders that they have, and none at the old one', async (test) => {
    const [from, to] = [await newUrl(), await newUrl()]
    const folder = scratchFolder(test)
    const dataDir = join(folder, 'a')
    const before = await nodesOf(test, from)('a', { dataDir })
    await eventuallyAsync(async () => before.node.role === 'owning', 'the node to own the log')
    const merchant = await makeHistory(before.engine, 30)
    const balance = before.engine.state.accounts.balance(merchant)
    assert.equal((await send(before.engine, { type: 'CreateTestWallet', tag: 'before_it' })).kind, 'created')
    await assert.rejects(moveLog(from, to), { code: 'log_in_use' })
    await before.stop()
    const { epoch } = before.node
    await moveLog(from, to)
    await assert.rejects(nodesOf(test, from)('b', {}), { code: 'log_moved', message: /was moved to/ })
    assert.match((await verifyPlace(readPlace(from))).logNote ?? '', /was moved to/)
    assert.equal((await verifyPlace(readPlace(to))).logNote, null)
    const after = await nodesOf(test, to)('a', { dataDir })
    await eventuallyAsync(async () => after.node.role === 'owning', 'the node to own the moved log')
    const empty = await nodesOf(test, to)('c')
    assert.ok(after.node.epoch > epoch, 'an owner of the old log is fenced')
    assert.equal((await send(after.engine, { type: 'CreateTestWallet', tag: 'before_it' })).kind, 'conflict')
    assert.equal((await send(after.engine, { type: 'CreateTestWallet', tag: 'after_it' })).kind, 'created')
    await empty.node.barrier()
    assert.equal(empty.engine.state.accounts.balance(merchant), balance)
    assert.deepEqual(empty.rows(), after.rows())
    await assert.rejects(moveLog(from, await newUrl()), { code: 'log_moved' })
  })

  it('log-copy refuses nodes with another master key than that of the folder', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    await fillFolder(dataDir, 1)
    writeFileSync(join(dataDir, KEY_CHECK_FILE), 'the key of the folder\n')
    const url = await newUrl()
    await moveLog(dataDir, url)
    await assert.rejects(nodesOf(test, url)('a', { keyCheck: 'another key' }), { code: 'wrong_key' })
  })

  it('log-copy refuses a database with a log, and leaves that log as it was', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    await fillFolder(dataDir, 2)
    const url = await newUrl()
    await fillLog(test, url, 3)
    await assert.rejects(moveLog(dataDir, url), { code: 'log_not_empty', message: /a log of 6 records/ })
    assert.deepEqual(await rows('select * from cauri.closed'), [])
    assert.equal((await verifyFolder(dataDir)).logNote, null)
  })

  it('log-copy fences an owner that cannot be seen: it wakes up and stores nothing', async (test) => {
    const scratch = scratchFolder(test)
    const url = await newUrl()
    const log = await ownLog(test, url)
    const source = new BatchSource()
    await mustAppend(log, { ...source.next(2), epoch: log.epoch })
    await rows("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cauri a'")
    await moveLog(url, join(scratch, 'moved'))
    const late = await append(log, { ...source.next(1), epoch: log.epoch })
    assert.equal((late as LogError | null)?.code, 'stale_epoch')
    assert.equal((await rows('select from cauri.log')).length, 1)
  })

  it('log-copy continues after a kill, and no server accepts the target before', async (test) => {
    const scratch = scratchFolder(test)
    const dataDir = join(scratch, 'data')
    await fillFolder(dataDir, 30, 500_000)
    const url = await newUrl()
    const proxy = await TcpProxy.start(pair.primary.port)
    test.after(() => proxy.close())
    let passedBytes = 0
    proxy.cutAfter = (direction, chunk) => {
      if (direction === 'to-server') passedBytes += chunk.length
      if (passedBytes > 14_000_000) proxy.swallow = 'to-server'
      return false
    }
    const killed = startTool(test, 'log-copy', '--from', dataDir, '--to', pair.primary.url(database, proxy.port))
    await eventuallyAsync(async () => proxy.swallow !== null, 'the copy to have begun')
    await eventuallyAsync(async () => (await rows('select from cauri.log')).length > 0, 'some batches to be stored')
    killed.kill('SIGKILL')
    await assert.rejects(identify(postgresOptions(url), { logId: 'x', keyCheck: 'y' }), { code: 'log_moved', message: /not complete/ })
    const stored = (await rows('select from cauri.log')).length
    assert.ok(stored < 30)
    const { figures } = await moveLog(dataDir, url)
    assert.equal(figures.batches, 30 - stored)
    assert.ok(figures.fromSequence > 0)
    // Killed after its last step: the same command says so and changes nothing.
    assert.equal((await moveLog(dataDir, url)).figures.isDoneBefore, true)
  })

  it('log-copy stores every batch once when its connections are cut', async (test) => {
    const scratch = scratchFolder(test)
    const dataDir = join(scratch, 'data')
    await fillFolder(dataDir, 30, 500_000)
    await newUrl()
    const proxy = await TcpProxy.start(pair.primary.port)
    test.after(() => proxy.close())
    let [passedBytes, cuts] = [0, 0]
    proxy.cutAfter = (direction, chunk) => {
      if (direction === 'to-server') passedBytes += chunk.length
      // Once while a statement is on its way, later after the server has it and before its answer arrives.
      if (passedBytes > 6_000_000 && cuts === 0) return ++cuts === 1
      if (passedBytes > 15_000_000 && cuts === 1 && direction === 'to-client') {
        proxy.cut()
        cuts++
      }
      return false
    }
    const { figures } = await moveLog(dataDir, pair.primary.url(database, proxy.port))
    assert.equal(cuts, 2)
    assert.equal(figures.batches, 30)
    assert.equal((await rows('select from cauri.log')).length, 30)
    assert.equal(existsSync(join(dataDir, 'log.partial')), false)
  })
})

/** Starts a command that the test ends. */
function startTool(test: TestContext, name: string, ...args: string[]): ChildProcess {
  const root = join(import.meta.dirname, '..', '..', '..')
  const child = spawn(process.execPath, [...processEntry(new URL(`../../../wal/tools/${name}-command.ts`, import.meta.url)), ...args], {
    cwd: root,
    stdio: 'ignore',
  })
  test.after(() => void child.kill('SIGKILL'))
  return child
}
