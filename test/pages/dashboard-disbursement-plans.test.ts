// Bulk payouts of many lines on the dashboard: repeated as a plan that names them, and their rare lines found, as a browser without a
// script sends its forms.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ScheduleRun } from '../../engine/contract/schedule.ts'
import { hiddenOf, openShop, plainText } from '../support/dashboard-shop.ts'
import { disbursementIn, newDisbursement } from '../support/disbursement-callers.ts'
import { newKey, type TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

const ID = /([0-9a-f-]{36})/

describe('a bulk payout of more lines than a plan has room for', () => {
  test('it is repeated by a plan that names it, which is checked, changed and run', async () => {
    const shop = await openShop(server, 5000)
    const items = Array.from({ length: 501 }, () => ({ recipient: shop.tag, amount: 2 }))
    const { id } = await newDisbursement(shop.keyed, { items, start: 'auto', reference: 'PAIE' })
    await disbursementIn(shop.keyed, id, 'completed')
    const form = await (await shop.get(`disbursements/${id}/repeat`)).text()
    assert.ok(!form.includes('name="lines"') && form.includes(` value="PAIE"`), form)
    assert.match(plainText(form), /les lignes valides de ce versement groupé , aussi celles qui ont échoué/)
    const plan = { recurrence: 'monthly', date: '2030-01-31', time: '08:00', reference: 'PAIE', disbursement: id }
    assert.equal(hiddenOf(form, '/schedules/new"').disbursement, id)
    const check = await shop.post('schedules/new', plan, 'file')
    assert.match(check.text, /1 002 F CFA en 501 lignes/)
    const saved = await shop.post('schedules', hiddenOf(check.html, '/schedules"'))
    const schedule = ID.exec(saved.location)?.[1] ?? ''
    assert.match(await shop.read(`schedules/${schedule}`), /1 002 F CFA en 501 lignes.*les lignes valides de ce versement groupé/)

    const edit = await (await shop.get(`schedules/${schedule}/edit`)).text()
    const changed = { ...hiddenOf(edit, `/schedules/${schedule}/edit"`), ...plan, recurrence: 'weekly' }
    const again = await shop.post(`schedules/${schedule}/edit`, changed, 'file')
    await shop.post(`schedules/${schedule}/replace`, hiddenOf(again.html, '/replace"'))
    assert.match(await shop.read(`schedules/${schedule}`), /Chaque semaine.*les lignes valides de ce versement groupé/)

    const ran = await ok(shop.keyed.post<ScheduleRun>(`/v1/biz/test/payout-schedules/${schedule}/run`, {}, newKey()))
    const made = ran.body.disbursement_id ?? ''
    await disbursementIn(shop.keyed, made, 'completed')
    const page = await (await shop.get(`schedules/${schedule}`)).text()
    assert.ok(page.includes(`/disbursements/${made}"`), 'the run leads to its bulk payout')
    assert.match(plainText(page), /Tout versé 501 0/)
  })

  test('a plan that is refused keeps what it pays, and an unknown bulk payout is named', async () => {
    const shop = await openShop(server, 10)
    const { id } = await newDisbursement(shop.keyed, { items: [{ recipient: shop.tag, amount: 2 }] })
    const plan = { recurrence: 'monthly', date: '2020-01-31', time: '08:00', reference: '', disbursement: id }
    const late = await shop.post('schedules/new', plan, 'file')
    assert.match(late.text, /Choisissez une date et une heure dans le futur/)
    assert.equal(hiddenOf(late.html, '/schedules/new"').disbursement, id, 'the form keeps what it pays')
    const unknown = await shop.post('schedules/new', { ...plan, date: '2030-01-31', disbursement: newKey()['idempotency-key'] }, 'file')
    assert.equal(unknown.status, 400)
  })
})

test('all lines of a rare state are on the first page of their state, however many lines stand between them', async () => {
  const shop = await openShop(server, 10)
  const line = (recipient: string) => ({ recipient, amount: 1 })
  const many = Array.from({ length: 4600 }, () => line(shop.tag))
  const items = [line('personne_la'), ...many, line('personne_ici')]
  const { id } = await newDisbursement(shop.keyed, { items })
  const page = await (await shop.get(`disbursements/${id}?state=invalid`)).text()
  assert.match(plainText(page), / 1 @personne_la .* 4602 @personne_ici/)
})
