// Heartbeats of the owner: what they publish to followers.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { OwnerHeartbeats } from '../../../wal/log/postgres-heartbeats.ts'
import { PostgresLog } from '../../../wal/log/postgres-log.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { newDatabase, type PostgresPair, postgresMissing, startPair } from '../../support/postgres.ts'
import { postgresOptions } from '../../support/postgres-log.ts'
import { closeLater } from '../../support/scratch-folder.ts'

describe('heartbeats of the owner', { skip: postgresMissing() }, () => {
  let pair: PostgresPair

  before(async () => {
    pair = await startPair()
  })

  after(() => pair?.remove())

  it('heartbeats of the owner announce confirmed sequences between them, and find another epoch', async (test) => {
    const url = pair.primary.url(await newDatabase(pair.primary))
    const postgres = postgresOptions(url)
    const log = closeLater(test, await PostgresLog.own(postgres))
    const listener = new Client({ connectionString: url })
    await listener.connect()
    test.after(() => listener.end())
    const payloads: string[] = []
    listener.on('notification', ({ payload }) => void payloads.push(payload ?? ''))
    await listener.query('listen cauri_log')
    let staleCount = 0
    const onStale = (): void => void staleCount++
    const heartbeats = new OwnerHeartbeats({ postgres, epoch: log.epoch, onStale, onAlone: () => {} }, 0)
    test.after(() => heartbeats.stop())
    const confirmed = async (): Promise<unknown> => (await listener.query('select confirmed from cauri.alive')).rows[0]
    heartbeats.start()
    await eventuallyAsync(async () => payloads.includes('0 0 beat'), 'the first heartbeat')
    // A confirmation that falls on a heartbeat is part of it.
    for (let sequence = 1; sequence < 5; sequence++) {
      heartbeats.confirm(sequence)
      await eventuallyAsync(async () => payloads.some((payload) => payload.startsWith(`0 ${sequence}`)), 'the confirmation')
    }
    assert.ok(payloads.filter((payload) => /^0 [1-4]$/.test(payload)).length >= 2, payloads.join())
    await eventuallyAsync(async () => payloads.includes('0 4 beat'), 'the next heartbeat')
    assert.deepEqual(await confirmed(), { confirmed: '4' })
    await listener.query('update cauri.owner set epoch = epoch + 1')
    heartbeats.confirm(5)
    await eventuallyAsync(async () => staleCount > 0, 'the end of the ownership')
  })
})
