// The parts that routes get: they exist once the log is recovered, and a route table that reads one earlier says what is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogCheck } from '../../../http/app/log-health.ts'
import { contextOf, nothingOpened } from '../../../http/app/opened-parts.ts'
import { readSettings } from '../../../http/app/settings.ts'
import { Seal } from '../../../http/crypto/seal.ts'
import { RequestLog } from '../../../http/server/request-log.ts'
import { MemoryLog } from '../../support/memory-log.ts'

test('a route table that reads a part before the log is recovered fails with the name of the part and what to do', () => {
  const masterKey = Buffer.alloc(32)
  const settings = readSettings({ MASTER_KEY: masterKey.toString('base64') })
  assert.ok('mode' in settings)
  const seal = new Seal(masterKey)
  const logCheck = new LogCheck(Object.assign(new MemoryLog(), { oldestAppendMs: 0 }), () => {})
  const parts = contextOf(nothingOpened(), {
    settings,
    seal,
    rootKeys: [masterKey],
    canWrite: () => true,
    logCheck,
    url: () => '',
    watch: { requestLog: new RequestLog() },
  })
  for (const name of ['engine', 'wallets', 'dashboard', 'outside', 'lookups', 'sandbox'] as const) {
    assert.throws(() => parts[name], new RegExp(`parts\\.${name} exists once the log is recovered: read it inside the handler`))
  }
})
