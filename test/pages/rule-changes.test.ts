// Changes of the operator's rules on the desk under dual control: what a second person reads, and what the audit trail keeps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOperator } from '../support/operator-callers.ts'
import { deskSession } from '../support/operator-steps.ts'
import { askPage } from '../support/raw-page.ts'
import { sharedServer } from '../support/shared-server.ts'

const ABOVE = '100000'

test('a change of rules is shown field by field, before and after, while it waits and in the audit trail', async () => {
  const server = await sharedServer({ OPERATOR_DUAL_CONTROL: ABOVE, OPERATOR_DAY_CONTROL: ABOVE })
  const { baseUrl } = server.process
  const asking = await newOperator(server, 'admin', 'Aminata')
  const { headers, csrf } = await deskSession(server, (await newOperator(server, 'admin')).token)
  const rulesOf = async (name: string): Promise<string> => {
    const { text } = await askPage(baseUrl, `/operator/${name}`, { headers })
    return text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/<\/?bdi>/g, '')
  }
  const change = async (path: string, body: object, method = 'PUT'): Promise<void> => {
    const asked = await asking.client.request(method, path, { json: body })
    assert.equal(asked.status, 202, asked.text)
  }
  const tier = { name: 'argent', sent_day_max: 50_000 }
  await change('/v1/operator/rules/limits', { wallet_tiers: [tier], default_tier: 'argent', merchant: { payout_max: 9000 } })
  const waits = await rulesOf('approvals')
  assert.match(waits, /Niveau par défaut<\/dt><dd><del>aucun<\/del> → <ins>argent</)
  assert.match(waits, /Niveau « argent », payé par jour<\/dt><dd><del>n’existait pas<\/del> → <ins>50 000 F CFA</)
  assert.match(waits, /Marchands, maximum d’un versement<\/dt><dd><del>aucune limite<\/del> → <ins>9 000 F CFA</)
  assert.ok(!waits.includes('Marchands, maximum d’un encaissement') && !waits.includes('limit_rules'), 'what changes alone, in words')
  assert.match(waits, /car les règles de l’argent réel changent à deux/)
  const [, id = ''] = /approvals\/([0-9a-f-]{36})\/approve/.exec(waits) ?? []
  const approved = await askPage(baseUrl, `/operator/approvals/${id}/approve`, { headers, form: { csrf, key: 'form-6' } })
  assert.equal(approved.status, 303)
  const rule = { on: 'payout', percent_bp: 150, fixed: 25, max: 500, borne_by: 'merchant' }
  await change('/v1/operator/rules/fees', { plans: [{ name: 'ong', rules: [rule] }], default_plan: null })
  const merchant = await server.merchant('Chez Salif')
  await change(`/v1/operator/merchants/${merchant.id}/limits`, { payout_max: 7000 })
  const audit = await rulesOf('audit?action=rule_change.request')
  assert.match(
    audit,
    /Grille « ong », Versement<\/dt><dd><del>n’existait pas<\/del> → <ins>1,5 % \+ 25 F CFA, au plus 500 F CFA, à la charge du/,
  )
  assert.match(audit, /maximum d’un versement<\/dt><dd><del>la règle de tous les marchands<\/del> → <ins>7 000 F CFA</)
  assert.match(await rulesOf('audit?action=rules.limits'), /<del>aucune limite<\/del> → <ins>9 000 F CFA</)
  for (const page of [audit, await rulesOf('audit')]) assert.ok(!page.includes('{&quot;'), 'no JSON')
})
