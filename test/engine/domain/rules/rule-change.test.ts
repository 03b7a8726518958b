// Changes of rules under dual control: a change of live rules waits for another administrator, and finance decides about none.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ActingOperator } from '../../../../engine/api.ts'
import type { Approval } from '../../../../engine/contract/approval.ts'
import type { LimitRules } from '../../../../engine/contract/limits.ts'
import type { OperatorAction } from '../../../../engine/contract/operator.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { NO_LIMIT_RULES } from '../../../../engine/domain/rules/rules-state.ts'
import type { Environment } from '../../../../engine/kernel/environment.ts'
import { openLiveWallet, openMerchant } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const RULES: LimitRules = { ...NO_LIMIT_RULES, merchant: { ...NO_LIMIT_RULES.merchant, payout_max: 5 } }
const FATOU: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000001', name: 'Fatou' }

const change = (environment: Environment, rules: LimitRules = RULES): Command => ({
  type: 'ChangeRules',
  change: { kind: 'limit_rules', environment, currency: 'XOF', rules },
  isDualControlled: true,
})

const codeOf = (body: string): unknown => (JSON.parse(body) as { code?: string }).code

it('a change of live rules waits for another administrator, and applies from the approval on, over a restart', async () => {
  const fixture = await EngineFixture.open()
  openMerchant(fixture, 'Boutique')
  assert.equal(fixture.do(change('test'), { operator: FATOU }).kind, 'ok', 'test needs one person')
  const asked = fixture.do(change('live'), { operator: FATOU })
  const { id, kind, amount, because, before } = JSON.parse(asked.body) as Approval
  assert.deepEqual([asked.kind, kind, amount, because], ['accepted', 'rule_change', null, 'rules'])
  assert.deepEqual(before, { kind: 'limit_rules', currency: 'XOF', rules: NO_LIMIT_RULES })
  await fixture.start()
  assert.deepEqual(fixture.state.rules.limitsOf('live', 'XOF'), NO_LIMIT_RULES)
  assert.equal(codeOf(fixture.do({ type: 'ApproveMovement', id }, { operator: FATOU }).body), 'second_person_required')
  const finance = fixture.do({
    ...{ type: 'CreateOperator', name: 'Moussa', email: 'm@x.example', role: 'finance', tokenHash: 'h', sealedToken: 'sealed' },
  } as const)
  const { id: financeId } = JSON.parse(finance.body) as { id: string }
  const moussa = { id: financeId, name: 'Moussa' }
  assert.equal(codeOf(fixture.do({ type: 'ApproveMovement', id }, { operator: moussa }).body), 'insufficient_role')
  const approved = JSON.parse(fixture.do({ type: 'ApproveMovement', id }).body) as { state: string; transaction_id: string | null }
  assert.deepEqual([approved.state, approved.transaction_id], ['approved', null])
  await fixture.start()
  assert.deepEqual(fixture.state.rules.limitsOf('live', 'XOF'), RULES)
})

it('a tier of a live wallet and a limit of a merchant wait too, and budgets of look-ups do not', async () => {
  const fixture = await EngineFixture.open()
  const { id: merchantId, live } = openMerchant(fixture, 'Boutique')
  const wallet = openLiveWallet(fixture, '+2250700000001', 'awa')
  const tiers = [{ name: 'verified', balance_max: null, received_month_max: null, sent_day_max: null, sent_month_max: 7 }]
  const rules = change('live', { ...NO_LIMIT_RULES, wallet_tiers: tiers })
  fixture.do({ ...rules, isDualControlled: false } as Command)
  const tier = { kind: 'wallet_tier', environment: 'live', tag: 'awa', tier: 'verified', reason: 'Vue' } as const
  const waits = fixture.do({ type: 'ChangeRules', change: tier, isDualControlled: true }, { operator: FATOU })
  assert.equal(waits.kind, 'accepted')
  assert.equal(fixture.state.rules.tierOf('live', 'XOF', wallet), null)
  assert.equal(fixture.do({ type: 'ApproveMovement', id: (JSON.parse(waits.body) as { id: string }).id }).kind, 'ok')
  assert.equal(fixture.state.rules.tierOf('live', 'XOF', wallet)?.sent_month_max, 7)
  const set = (limits: object): string =>
    fixture.do({ type: 'SetMerchantLimits', merchantId, limits, isDualControlled: true }, { operator: FATOU }).kind
  assert.deepEqual([set({ unknown_recipients: 5 }), set({ payout_max: 9 })], ['ok', 'accepted'])
  assert.equal(fixture.state.rules.merchantRuleOf('live', 'XOF', live).payout_max, null)
})

it('what waits names the rules that it would replace as they are at that moment', async () => {
  const fixture = await EngineFixture.open()
  const { id: merchant_id } = openMerchant(fixture, 'Boutique')
  const asked = { kind: 'merchant_limits', environment: 'live', merchant_id, limits: { payout_max: 9 } } as const
  fixture.do({ type: 'ChangeRules', change: asked, isDualControlled: true }, { operator: FATOU })
  const present = (): unknown => {
    const page = fixture.engine.query('approvals.list', { query: {} })
    return (JSON.parse(page?.rows[0] ?? '{}') as Approval).before
  }
  const before = { kind: 'merchant_limits', currency: 'XOF' } as const
  assert.deepEqual(present(), { ...before, limits: { payout_max: null } })
  fixture.do({ type: 'ChangeRules', change: { ...asked, limits: { payout_max: 3 } } })
  assert.deepEqual(present(), { ...before, limits: { payout_max: 3 } })
})

it('a refused change of rules stands in the audit trail without an amount', async () => {
  const fixture = await EngineFixture.open()
  const asked = fixture.do(change('live'), { operator: FATOU })
  const { id } = JSON.parse(asked.body) as { id: string }
  assert.equal(fixture.do({ type: 'RefuseMovement', id, reason: 'Non.' }).kind, 'ok')
  const rows = fixture.engine.query('operatorActions.list', { query: { limit: 1 }, slice: 'first' })?.rows ?? []
  const { action, details, ...row } = JSON.parse(rows[0] ?? '{}') as OperatorAction
  assert.deepEqual(
    [action, details, 'amount' in row],
    ['rule_change.refuse', { approval_id: id, reason: 'Non.', requested_by: 'Fatou' }, false],
  )
})
