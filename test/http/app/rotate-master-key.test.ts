// The rotation of the master key: what was sealed before still opens, what is sealed after needs the new key, and a crash between two
// steps leaves one key in force.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { KEY_FILE, loadRootKeys, MasterKeyError, NEXT_KEY_FILE } from '../../../http/app/master-key.ts'
import { type RotationStep, rotateMasterKey } from '../../../http/app/rotate-master-key.ts'
import { newKeyRing, openKeyRing } from '../../../http/crypto/key-ring.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { readPlace } from '../../../wal/tools/log-place.ts'
import { nodesOf } from '../../support/cluster-fixture.ts'
import { type Owner, PASSWORD, signUp } from '../../support/dashboard-callers.ts'
import { enableTotp } from '../../support/member-callers.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { fillLog } from '../../support/postgres-log.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { TestServer } from '../../support/server-fixture.ts'
import { launch } from '../../support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const OLD = randomBytes(32)
const NEW = randomBytes(32)
const text = (key: Buffer): string => key.toString('base64')

interface CommandEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `npm run rotate-master-key` without npm. */
function rotate(place: string, keys: { readonly from?: string; readonly to?: string }): CommandEnd {
  const entry = processEntry(new URL('../../../http/app/rotate-master-key-command.ts', import.meta.url))
  const variables = {
    ...(keys.from === undefined ? {} : { MASTER_KEY: keys.from }),
    ...(keys.to === undefined ? {} : { NEW_MASTER_KEY: keys.to }),
  }
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables }
  return spawnSync(process.execPath, [...entry, place], { cwd: ROOT, encoding: 'utf8', env })
}

/** A data folder with an empty log, whose key is in the folder unless `key` is one. */
async function folderOf(test: TestContext, key: Buffer | null): Promise<string> {
  const dataDir = join(scratchFolder(test), 'data')
  await (await openDataFolder({ dataDir, onWarning: assert.fail })).close()
  loadRootKeys({ masterKey: key, dataDir, hasRecords: false })
  return dataDir
}

const rootsOf = (dataDir: string, masterKey: Buffer | null) => loadRootKeys({ masterKey, dataDir, hasRecords: true })
const ringOf = (dataDir: string): string => readFileSync(join(dataDir, 'master.check'), 'utf8').trim()
const rotation = (path: string, from: Buffer | null, to: Buffer | null) => ({
  ...({ place: { kind: 'folder', path }, from, to, allowsUnsafe: false, onWarning: assert.fail } as const),
})

describe('a data folder whose key is in the settings', () => {
  it('a rotation keeps the first root key, adds another one, and puts the new master key in force', async (test) => {
    const dataDir = await folderOf(test, OLD)
    assert.equal(await rotateMasterKey(rotation(dataDir, OLD, NEW)), true)
    const roots = rootsOf(dataDir, NEW)
    assert.equal(roots.length, 2)
    assert.deepEqual(Buffer.from(roots[0]), OLD)
    assert.ok(!NEW.equals(Buffer.from(roots[1] as Uint8Array)), 'the new master key is no root key')
    assert.throws(() => rootsOf(dataDir, OLD), MasterKeyError)
    assert.equal(statSync(join(dataDir, 'master.check')).mode & 0o777, 0o600)
    for (const key of [OLD, NEW]) assert.ok(!ringOf(dataDir).includes(text(key)) && !ringOf(dataDir).includes(key.toString('hex')))
  })

  it('the same command again says that the new key is in force already, and changes nothing', async (test) => {
    const dataDir = await folderOf(test, OLD)
    await rotateMasterKey(rotation(dataDir, OLD, NEW))
    const ring = ringOf(dataDir)
    assert.equal(await rotateMasterKey(rotation(dataDir, OLD, NEW)), false)
    assert.equal(ringOf(dataDir), ring)
  })

  it('a second rotation keeps the root keys of the first', async (test) => {
    const dataDir = await folderOf(test, OLD)
    await rotateMasterKey(rotation(dataDir, OLD, NEW))
    const [first, second] = rootsOf(dataDir, NEW)
    const third = randomBytes(32)
    await rotateMasterKey(rotation(dataDir, NEW, third))
    const roots = rootsOf(dataDir, third)
    assert.equal(roots.length, 3)
    assert.deepEqual(roots.slice(0, 2), [first, second])
    assert.throws(() => rootsOf(dataDir, NEW), MasterKeyError)
  })

  it('a rotation that cannot succeed changes nothing and names the remedy', async (test) => {
    const dataDir = await folderOf(test, OLD)
    const ring = ringOf(dataDir)
    const rows: readonly (readonly [from: Buffer | null, to: Buffer | null, says: RegExp])[] = [
      [NEW, randomBytes(32), /MASTER_KEY is not the key/],
      [OLD, OLD, /NEW_MASTER_KEY is MASTER_KEY/],
      [OLD, null, /Set MASTER_KEY to the key in force and NEW_MASTER_KEY/],
      [null, NEW, /Set MASTER_KEY to the key in force and NEW_MASTER_KEY/],
      [null, null, /Set MASTER_KEY to the key in force and NEW_MASTER_KEY/],
    ]
    for (const [from, to, message] of rows)
      await assert.rejects(rotateMasterKey(rotation(dataDir, from, to)), { code: 'wrong_key', message })
    await assert.rejects(rotateMasterKey(rotation(join(dataDir, 'none'), OLD, NEW)), { code: 'log_missing' })
    const { status, stderr } = rotate(dataDir, { from: text(OLD), to: text(Buffer.alloc(32)) })
    assert.equal(status, 1)
    assert.match(stderr, /NEW_MASTER_KEY must not be guessable/)
    for (const key of [OLD, Buffer.alloc(32)]) assert.ok(!stderr.includes(text(key)), 'no message holds a key')
    assert.equal(ringOf(dataDir), ring)
  })

  it('a folder that a server has open is not rotated', async (test) => {
    const dataDir = await folderOf(test, OLD)
    const open = await openDataFolder({ dataDir, onWarning: assert.fail })
    try {
      await assert.rejects(rotateMasterKey(rotation(dataDir, OLD, NEW)), { code: 'in_use' })
    } finally {
      await open.close()
    }
  })
})

describe('a data folder that keeps its key itself', () => {
  /** Rotates in a process that kills itself after the step. */
  function killedAfter(step: RotationStep, dataDir: string): void {
    const script = new URL('../../support/wal-children/rotate.ts', import.meta.url)
    const { signal, stderr } = spawnSync(process.execPath, [...processEntry(script), dataDir, step], { encoding: 'utf8' })
    assert.equal(signal, 'SIGKILL', stderr)
  }

  it('a folder that keeps its key itself gets a new one in the same file', async (test) => {
    const dataDir = await folderOf(test, null)
    const kept = readFileSync(join(dataDir, KEY_FILE), 'utf8')
    const { status, stdout } = rotate(dataDir, {})
    assert.equal(status, 0)
    assert.match(stdout, /the new master key is in force/)
    assert.notEqual(readFileSync(join(dataDir, KEY_FILE), 'utf8'), kept)
    assert.deepEqual(text(Buffer.from(rootsOf(dataDir, null)[0])), kept.trim())
    assert.equal(existsSync(join(dataDir, NEXT_KEY_FILE)), false)
  })

  for (const step of ['next_key_kept', 'ring_replaced', 'key_replaced'] as const) {
    it(`a rotation that is killed after ${step} leaves a folder that starts, and the next rotation succeeds`, async (test) => {
      const dataDir = await folderOf(test, null)
      const kept = readFileSync(join(dataDir, KEY_FILE), 'utf8')
      killedAfter(step, dataDir)
      const roots = rootsOf(dataDir, null)
      assert.equal(roots.length, step === 'next_key_kept' ? 1 : 2)
      assert.deepEqual(text(Buffer.from(roots[0])), kept.trim())
      assert.equal(existsSync(join(dataDir, NEXT_KEY_FILE)), false)
      assert.equal(await rotateMasterKey(rotation(dataDir, null, null)), true)
      assert.deepEqual(rootsOf(dataDir, null).slice(0, roots.length), roots)
    })
  }

  it('half of a key ring that a crash left beside the ring is not read', async (test) => {
    const dataDir = await folderOf(test, OLD)
    writeFileSync(join(dataDir, 'master.check.draft'), 'v2:half')
    assert.deepEqual(Buffer.from(rootsOf(dataDir, OLD)[0]), OLD)
    assert.equal(await rotateMasterKey(rotation(dataDir, OLD, NEW)), true)
    assert.equal(rootsOf(dataDir, NEW).length, 2)
  })
})

describe('a server after a rotation', () => {
  const password = (server: TestServer, { email }: Owner, totp: string) =>
    server.anybody.post('/v1/dashboard/login', { email, password: PASSWORD, totp })
  const API_KEY = { environment: 'test', scopes: ['disbursements.write'] }

  it('secrets, passwords and recovery codes from before a rotation work after it, and the old key starts nothing', async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const older = await TestServer.open({ dataDir, settings: { MASTER_KEY: text(OLD) } })
    const owner = await signUp(older)
    const { recoveryCodes } = await enableTotp(owner.browser)
    const headers = { 'idempotency-key': 'a key of before' }
    const create = (server: TestServer, key: typeof headers) =>
      server.operator.post(`/v1/operator/merchants/${owner.merchantId}/api-keys`, API_KEY, key)
    const made = await create(older, headers)
    assert.equal(made.status, 201, made.text)
    await older.process.terminate()
    older.anybody.close()
    const { status, stderr } = rotate(dataDir, { from: text(OLD), to: text(NEW) })
    assert.equal(status, 0, stderr)

    const refused = launch({ dataDir, settings: { MASTER_KEY: text(OLD) } })
    assert.equal(await refused.exited, 1)
    assert.match(refused.lines.at(-1) ?? '', /MASTER_KEY is not the key/)

    const newer = await TestServer.open({ dataDir, settings: { MASTER_KEY: text(NEW) } })
    try {
      assert.equal((await create(newer, headers)).text, made.text, 'the kept answer is opened again')
      const wrong = await newer.anybody.post('/v1/dashboard/login', { email: owner.email, password: 'a wrong password of mine' })
      assert.equal(wrong.status, 401)
      assert.equal((await password(newer, owner, recoveryCodes[0] ?? '')).status, 200)
      assert.equal((await password(newer, owner, recoveryCodes[0] ?? '')).status, 401, 'a recovery code is used once')
      assert.equal((await create(newer, { 'idempotency-key': 'a key of after' })).status, 201)
      const another = await signUp(newer)
      assert.equal((await newer.anybody.post('/v1/dashboard/login', { email: another.email, password: PASSWORD })).status, 200)
    } finally {
      await newer.process.terminate()
      newer.anybody.close()
    }
    const log = readFileSync(join(dataDir, 'log', 'data.mdb'), 'latin1')
    assert.match(log, /sealed:v1:/)
    assert.match(log, /sealed:v2:1:/)
    assert.match(log, /scrypt:v2:1:15:/)
  })
})

describe('a log in PostgreSQL', { skip: postgresMissing() }, () => {
  let pair: PostgresPair

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  it('the key ring of a cluster is replaced in the database, and the folder of each node follows at its start', async (test) => {
    const database = await newDatabase(pair.primary)
    const url = pair.primary.url(database)
    await fillLog(test, url, 2)
    await pair.primary.run(`update cauri.identity set key_check = '${newKeyRing(OLD)}'`, database)
    const place = readPlace(url)
    const rotated = { ...{ place, from: OLD, to: NEW, allowsUnsafe: false, onWarning: () => {} } }
    assert.equal(await rotateMasterKey(rotated), true)
    assert.equal(await rotateMasterKey(rotated), false)
    await assert.rejects(rotateMasterKey({ ...rotated, to: randomBytes(32) }), { code: 'wrong_key' })
    await assert.rejects(rotateMasterKey({ ...rotated, from: null }), { code: 'wrong_key' })
    const [row] = await pair.primary.run<{ key_check: string }>('select key_check from cauri.identity', database)
    const clusterRing = row?.key_check ?? ''
    assert.equal(openKeyRing(clusterRing, OLD), null)
    const dataDir = await folderOf(test, OLD)
    const roots = loadRootKeys({ masterKey: NEW, dataDir, hasRecords: true, clusterRing })
    assert.deepEqual(roots, openKeyRing(clusterRing, NEW))
    assert.equal(ringOf(dataDir), clusterRing)
  })

  it('a log that nodes use is not rotated, and the message names them', async (test) => {
    const url = pair.primary.url(await newDatabase(pair.primary))
    const node = await nodesOf(test, url)('a', { keyCheck: newKeyRing(OLD) })
    const rotated = { ...{ place: readPlace(url), from: OLD, to: NEW, allowsUnsafe: false, onWarning: () => {} } }
    await assert.rejects(rotateMasterKey(rotated), { code: 'log_in_use', message: /in use by a/ })
    await node.stop()
    assert.equal(await rotateMasterKey(rotated), true)
  })
})
