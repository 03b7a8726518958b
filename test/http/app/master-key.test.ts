// The master key: made once, kept for its owner alone, and never replaced while something is sealed under it.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { KEY_FILE, loadRootKeys, MasterKeyError, type MasterKeyParts } from '../../../http/app/master-key.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cauri-key-'))
})

afterEach(() => rmSync(dataDir, { recursive: true }))

const ONE = Buffer.alloc(32, 1)
const OTHER = Buffer.alloc(32, 2)

/** The only root key of a folder whose master key was never rotated. */
function loadMasterKey(parts: MasterKeyParts): Uint8Array {
  const [key, ...later] = loadRootKeys(parts)
  assert.deepEqual(later, [])
  return key
}

describe('the master key', () => {
  it('the master key is made in an empty folder, readable by its owner alone, and the same at the next start', () => {
    const key = loadMasterKey({ masterKey: null, dataDir, hasRecords: false })
    assert.equal(key.length, 32)
    assert.equal(statSync(join(dataDir, KEY_FILE)).mode & 0o777, 0o600)
    assert.deepEqual(loadMasterKey({ masterKey: null, dataDir, hasRecords: true }), key)
  })

  it('two folders have two keys', () => {
    const key = loadMasterKey({ masterKey: null, dataDir, hasRecords: false })
    rmSync(dataDir, { recursive: true })
    dataDir = mkdtempSync(join(tmpdir(), 'cauri-key-'))
    assert.notDeepEqual(loadMasterKey({ masterKey: null, dataDir, hasRecords: false }), key)
  })

  it('the master key of the settings is used and not written down', () => {
    assert.equal(loadMasterKey({ masterKey: ONE, dataDir, hasRecords: false }), ONE)
    assert.equal(statSync(join(dataDir, KEY_FILE), { throwIfNoEntry: false }), undefined)
    assert.equal(loadMasterKey({ masterKey: ONE, dataDir, hasRecords: true }), ONE)
  })

  it('another one than before is refused before anything is opened with it', () => {
    loadMasterKey({ masterKey: ONE, dataDir, hasRecords: false })
    assert.throws(() => loadMasterKey({ masterKey: OTHER, dataDir, hasRecords: true }), MasterKeyError)
  })

  it('the master key is refused when its check differs in any character', () => {
    loadMasterKey({ masterKey: ONE, dataDir, hasRecords: false })
    const path = join(dataDir, 'master.check')
    const check = readFileSync(path, 'utf8').trim()
    for (let at = 0; at < check.length; at++) {
      writeFileSync(path, `${check.slice(0, at)}${check[at] === '0' ? '1' : '0'}${check.slice(at + 1)}\n`)
      assert.throws(() => loadMasterKey({ masterKey: ONE, dataDir, hasRecords: true }), MasterKeyError, `character ${at}`)
    }
    writeFileSync(path, `${check}\n`)
    assert.equal(loadMasterKey({ masterKey: ONE, dataDir, hasRecords: true }), ONE)
  })

  it('the master key that is gone is not replaced while there are records', () => {
    loadMasterKey({ masterKey: null, dataDir, hasRecords: false })
    rmSync(join(dataDir, KEY_FILE))
    assert.throws(() => loadMasterKey({ masterKey: null, dataDir, hasRecords: true }), /master\.key is missing/)
  })

  it('the master key that is damaged is refused', () => {
    loadMasterKey({ masterKey: null, dataDir, hasRecords: false })
    writeFileSync(join(dataDir, KEY_FILE), readFileSync(join(dataDir, KEY_FILE), 'utf8').slice(0, 20))
    assert.throws(() => loadMasterKey({ masterKey: null, dataDir, hasRecords: true }), /damaged/)
  })

  it('the master key cannot be computed from the files beside it', () => {
    const key = loadMasterKey({ masterKey: null, dataDir, hasRecords: false })
    const check = readFileSync(join(dataDir, 'master.check'), 'utf8')
    assert.ok(['base64', 'hex'].every((coding) => !check.includes(Buffer.from(key).toString(coding as 'hex'))))
  })
})
