// Schedules over HTTP that name a disbursement: what is taken, what is refused, and a run that is a disbursement of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schedule, ScheduleRun } from '../../engine/contract/schedule.ts'
import { lookAgain } from '../support/look-again.ts'
import { newKey } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

interface List<Row> {
  readonly data: readonly Row[]
}

const PATH = '/v1/biz/payout-schedules'
const HOUR_MS = 3_600_000

const later = (): string => new Date(Date.now() + HOUR_MS).toISOString()

test('the lines of a disbursement are paid by a disbursement of its own, which the run names', async () => {
  const server = await sharedServer()
  const merchant = await server.fundedMerchant(100)
  const { test: client } = merchant
  const tag = await server.wallet(merchant)
  const items = [
    { recipient: tag, amount: 3 },
    { recipient: 'absente', amount: 7 },
    { recipient: tag, amount: 4 },
  ]
  const source = await client.post<{ id: string }>('/v1/biz/disbursements', { items }, newKey())
  const disbursement_id = source.body.id
  const send = (body: object) =>
    client.post<{ code: string; param: string }>(PATH, { recurrence: 'weekly', start_at: later(), ...body }, newKey())
  const refusals = [
    [{ disbursement_id, items: [{ recipient: tag, amount: 1 }] }, 400, 'invalid_request', 'disbursement_id'],
    [{}, 400, 'items_required', 'items'],
    [{ disbursement_id: '019aa0f8-1c00-7b03-8c4d-5e6f708192a3' }, 404, 'not_found', 'disbursement_id'],
    [{ disbursement_id: 'x' }, 400, 'invalid_request', 'disbursement_id'],
  ] as const
  for (const [body, status, code, param] of refusals) {
    const answer = await send(body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.param], [status, code, param], answer.text)
  }
  const body = { recurrence: 'weekly', start_at: later(), disbursement_id: disbursement_id.toUpperCase(), reference: 'PAIE' }
  const schedule = (await ok(client.post<Schedule>(PATH, body, newKey()))).body
  assert.deepEqual(schedule, { ...schedule, items: [], items_count: 2, total_amount: 7, disbursement_id, warnings: [] })
  const ran = await client.post<ScheduleRun>(`/v1/biz/test/payout-schedules/${schedule.id}/run`, {}, newKey())
  assert.deepEqual([ran.status, ran.body.state, ran.body.batch_id, ran.body.paid_count], [200, 'running', null, 0])
  const firstRun = async () => (await client.get<List<ScheduleRun>>(`${PATH}/${schedule.id}/runs`)).body.data[0]
  let run = await firstRun()
  while (run?.state === 'running') {
    await lookAgain()
    run = await firstRun()
  }
  assert.deepEqual(run, { ...ran.body, state: 'completed', paid_count: 2 })
  const payouts = (await client.get<List<Record<string, unknown>>>(`/v1/biz/payouts?schedule_id=${schedule.id}`)).body.data
  assert.deepEqual(
    payouts.map((payout) => [payout.amount, payout.reference, payout.disbursement_id, payout.batch_id]),
    [4, 3].map((amount) => [amount, 'PAIE', run?.disbursement_id, null]),
  )
  assert.equal((await client.get<{ state: string }>(`/v1/biz/disbursements/${disbursement_id}`)).body.state, 'ready')
})
