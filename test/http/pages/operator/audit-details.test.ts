// Details of the audit trail on the desk: names in words and links, never a name of the API or an id.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorAction } from '../../../../engine/contract/operator.ts'
import { detailList, isWorded } from '../../../../http/pages/operator/audit-details.ts'
import { html } from '../../../../http/pages/shared/html.ts'
import { GOLDEN_SCENARIOS } from '../../../engine/golden-scenarios.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const SCENARIOS = ['operators', 'control', 'dual-control', 'second-persons', 'cash-requests', 'rules', 'fees', 'billers', 'activation']
const ID = '019aa0f0-2a00-7b11-8c2d-3e4f50617283'

test('every parameter of an action that the scenarios know has its name in words', async () => {
  const unnamed = new Set<string>()
  let actions = 0
  for (const name of SCENARIOS) {
    const fixture = await EngineFixture.open()
    GOLDEN_SCENARIOS[`${name}-v1.json`]?.(fixture)
    for (const { type, text } of fixture.records.flatMap(({ events }) => events)) {
      if (type !== 'operator.acted') continue
      actions++
      for (const key of Object.keys((JSON.parse(text) as OperatorAction).details)) if (!isWorded(key)) unnamed.add(key)
    }
  }
  assert.ok(actions > 20, `${actions} actions`)
  assert.deepEqual([...unnamed], [])
})

test('the transaction of a movement is a link to it, and limits have names in words', () => {
  const action = {
    ...{ id: ID, action: 'deposit.create', target: ID, environment: 'live', created_at: '2026-11-20T10:00:00.000Z' },
    ...{ operator: { id: null, name: 'OPERATOR_TOKEN' }, subject: { kind: 'merchant', id: ID, name: 'Boutique' } },
    details: { transaction_id: ID, amount: 5, environment: 'live', payout_max: 5000 },
  } as unknown as OperatorAction
  const shown = detailHtml(action)
  assert.match(shown, new RegExp(`href="../operator/merchants/${ID}\\?environment=live&amp;transaction=${ID}#timeline"`))
  assert.match(shown, /Voir le mouvement/)
  assert.ok(!shown.includes('payout_max') && !shown.includes(`<code class="id">`), shown)
})

function detailHtml(action: OperatorAction): string {
  return html`${detailList(action, '../operator')}`.in('fr')
}
