// Operators with a name and dual control: who acted is in the audit trail, and a large movement has two people and one winner.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ActingOperator } from '../../../engine/api.ts'
import type { Approval } from '../../../engine/contract/approval.ts'
import { OPERATORS_MAX } from '../../../engine/domain/operator/operator-limits.ts'
import { confirmTopUp, requested, requestTopUp, requestWithdrawal } from '../../support/cash-request-commands.ts'
import { deposit, openMerchant, withdraw } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const ABOVE = 1_000
const FATOU: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000001', name: 'Fatou' }
const MOUSSA: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000002', name: 'Moussa' }
const AWA: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000003', name: 'Awa' }

async function given(): Promise<{ readonly fixture: EngineFixture; readonly merchantId: string; readonly live: number }> {
  const fixture = await EngineFixture.open()
  const { id, live } = openMerchant(fixture, 'baobab')
  return { fixture, merchantId: id, live }
}

function request(fixture: EngineFixture, merchantId: string, amount = ABOVE + 1, operator: ActingOperator | undefined = FATOU): string {
  const by = operator === undefined ? {} : { operator }
  const { kind, body } = fixture.do({ ...deposit({ merchantId }, amount, 'live', 'virement'), secondPersonAbove: ABOVE }, by)
  assert.equal(kind, 'accepted')
  return (JSON.parse(body) as { id: string }).id
}

function answerOf({ kind, body }: { readonly kind: string; readonly body: string }): [string, string | undefined] {
  const { code, state } = JSON.parse(body) as { readonly code?: string; readonly state?: string }
  return [kind, code ?? state]
}

describe('a large movement', () => {
  it('a movement above the limit moves nothing until another operator approves it, once', async () => {
    const { fixture, merchantId, live } = await given()
    const id = request(fixture, merchantId)
    assert.equal(fixture.state.accounts.balance(live), 0)
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id }, { operator: FATOU })), ['forbidden', 'second_person_required'])
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id }, { operator: MOUSSA })), ['ok', 'approved'])
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id }, { operator: AWA })), ['conflict', 'approval_not_waiting'])
    assert.deepEqual(answerOf(fixture.do({ type: 'RefuseMovement', id, reason: 'Non.' }, { operator: AWA })), [
      'conflict',
      'approval_not_waiting',
    ])
    assert.equal(fixture.state.accounts.balance(live), ABOVE + 1)
  })

  it('of two approvals and a refusal that are queued together one wins, also after a crash between turn and flush', async () => {
    const { fixture, merchantId, live } = await given()
    const id = request(fixture, merchantId)
    const lost = fixture.send({ type: 'ApproveMovement', id }, { operator: AWA, key: 'lost' })
    fixture.loop.turn()
    await fixture.start()
    assert.equal(lost.outcome, null)
    const sent = [
      fixture.send({ type: 'ApproveMovement', id }, { operator: MOUSSA }),
      fixture.send({ type: 'ApproveMovement', id }, { operator: AWA, key: 'lost' }),
      fixture.send({ type: 'RefuseMovement', id, reason: 'Non.' }, { operator: AWA }),
    ]
    fixture.settle()
    assert.deepEqual(
      sent.map(({ outcome }) => outcome !== null && outcomeStatus(outcome)),
      [200, 409, 409],
    )
    assert.equal(fixture.state.accounts.balance(live), ABOVE + 1)
    await fixture.start()
    assert.equal(fixture.state.accounts.balance(live), ABOVE + 1)
    assert.equal(fixture.state.approvals.waiting.size, 0)
  })

  it('the token of the settings asks and approves, but not its own request', async () => {
    const { fixture, merchantId } = await given()
    const own = fixture.do({ ...deposit({ merchantId }, ABOVE + 1, 'live'), secondPersonAbove: ABOVE })
    const { id } = JSON.parse(own.body) as { id: string }
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id })), ['forbidden', 'second_person_required'])
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id: request(fixture, merchantId) })), ['ok', 'approved'])
  })

  it('amounts up to the limit, test money and movements without a limit need no second operator', async () => {
    const { fixture, merchantId } = await given()
    const rows = [
      { ...deposit({ merchantId }, ABOVE, 'live'), secondPersonAbove: ABOVE },
      { ...deposit({ merchantId }, ABOVE * 9, 'test'), secondPersonAbove: ABOVE },
      { ...deposit({ merchantId }, ABOVE * 9, 'live'), secondPersonAbove: null },
      deposit({ merchantId }, ABOVE * 9, 'live'),
    ]
    for (const row of rows) assert.equal(fixture.do(row, { operator: FATOU }).kind, 'created')
  })

  it('a withdrawal that the balance no longer covers is refused at its approval and still waits', async () => {
    const { fixture, merchantId } = await given()
    fixture.do(deposit({ merchantId }, 5_000, 'live'))
    const asked = fixture.do({ ...withdraw({ merchantId }, 4_000, 'live'), secondPersonAbove: ABOVE }, { operator: FATOU })
    const { id } = JSON.parse(asked.body) as { id: string }
    fixture.do(withdraw({ merchantId }, 3_000, 'live'))
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id }, { operator: MOUSSA })), [
      'insufficient_funds',
      'insufficient_balance',
    ])
    assert.equal(fixture.state.approvals.waiting.get(id)?.state, 'waiting')
    fixture.do(deposit({ merchantId }, 3_000, 'live'))
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id }, { operator: MOUSSA })), ['ok', 'approved'])
  })

  it('a refusal keeps its reason, and unknown requests are not found', async () => {
    const { fixture, merchantId } = await given()
    const id = request(fixture, merchantId)
    const refused = fixture.do({ type: 'RefuseMovement', id, reason: 'Aucun virement.' }, { operator: FATOU })
    const { state, reason, decided_by } = JSON.parse(refused.body) as { state: string; reason: string; decided_by: ActingOperator }
    assert.deepEqual([state, reason, decided_by], ['refused', 'Aucun virement.', FATOU])
    const unknown = '01a0c450-0000-7000-8000-00000000000f'
    assert.deepEqual(answerOf(fixture.do({ type: 'ApproveMovement', id: unknown }, { operator: MOUSSA })), ['not_found', 'not_found'])
  })
})

describe('a large top-up or withdrawal of a merchant', () => {
  const answered = (sent: { readonly kind: string; readonly body: string }): { id: string; request_id: string } => {
    assert.equal(sent.kind, 'accepted', sent.body)
    return JSON.parse(sent.body) as { id: string; request_id: string }
  }

  it('a confirmation above the limit credits nothing until another operator approves it', async () => {
    const { fixture, live } = await given()
    const topUp = requested(fixture, requestTopUp(live, 10))
    const confirm = confirmTopUp(topUp, { amount: ABOVE + 1, secondPersonAbove: ABOVE })
    const approval = answered(fixture.do(confirm, { operator: FATOU }))
    assert.equal(approval.request_id, topUp)
    assert.equal(fixture.state.accounts.balance(live), 0)
    const approve = { type: 'ApproveMovement', id: approval.id } as const
    assert.deepEqual(answerOf(fixture.do(approve, { operator: FATOU })), ['forbidden', 'second_person_required'])
    const { body } = fixture.do(approve, { operator: MOUSSA })
    const { state, transaction_id, balance_after } = JSON.parse(body) as Approval
    assert.deepEqual([state, typeof transaction_id, balance_after], ['approved', 'string', ABOVE + 1])
    assert.equal(fixture.state.accounts.balance(live), ABOVE + 1)
    assert.deepEqual(answerOf(fixture.do(confirm, { operator: AWA })), ['conflict', 'request_not_open'])
    await fixture.start()
    assert.equal(fixture.state.accounts.balance(live), ABOVE + 1)
    assert.equal(fixture.state.approvals.waiting.size, 0)
  })

  it('a payment above the limit keeps its hold until another operator approves it', async () => {
    const { fixture, merchantId, live } = await given()
    fixture.do(deposit({ merchantId }, ABOVE * 3, 'live'))
    const withdrawal = requested(fixture, requestWithdrawal(live, ABOVE + 1))
    const pay = { type: 'PayWithdrawal', id: withdrawal, reference: 'VIR-2', merchant: null, secondPersonAbove: ABOVE } as const
    const { id } = answered(fixture.do(pay, { operator: FATOU }))
    assert.deepEqual([fixture.state.accounts.balance(live), fixture.state.accounts.held(live)], [ABOVE * 3, ABOVE + 1])
    const { body } = fixture.do({ type: 'ApproveMovement', id }, { operator: MOUSSA })
    assert.equal((JSON.parse(body) as Approval).balance_after, ABOVE * 2 - 1)
    assert.deepEqual([fixture.state.accounts.balance(live), fixture.state.accounts.held(live)], [ABOVE * 2 - 1, 0])
  })
})

describe('the audit trail', () => {
  it('each action names its operator, actions of older logs the token of the settings', async () => {
    const { fixture, merchantId } = await given()
    const id = request(fixture, merchantId)
    fixture.do({ type: 'ApproveMovement', id }, { operator: MOUSSA })
    const page = fixture.engine.query('operatorActions.list', { slice: 'first', query: {} })
    const rows = (page?.rows ?? []).map(
      (text) => JSON.parse(text) as { action: string; operator: ActingOperator; details: { requested_by?: string } },
    )
    assert.deepEqual(
      rows.map(({ action, operator }) => [action, operator.name]),
      [
        ['deposit.create', 'Moussa'],
        ['deposit.request', 'Fatou'],
        ['merchant.create', 'OPERATOR_TOKEN'],
      ],
    )
    assert.equal(rows[0]?.details.requested_by, 'Fatou')
  })
})

describe('operators with a name', () => {
  const make = (name: string) =>
    ({ type: 'CreateOperator', name, email: `${name}@service.example`, role: 'admin', tokenHash: name, sealedToken: 'sealed' }) as const

  it('a revoked operator is unknown, and its address is free again', async () => {
    const { fixture } = await given()
    const { id } = JSON.parse(fixture.do(make('fatou')).body) as { id: string }
    assert.equal(outcomeStatus(fixture.do(make('fatou'))), 409)
    assert.equal(fixture.engine.query('operators.byTokenHash', { tokenHash: 'fatou' })?.id, id)
    assert.equal(fixture.do({ type: 'RevokeOperator', id }).kind, 'ok')
    assert.equal(fixture.engine.query('operators.byTokenHash', { tokenHash: 'fatou' }), null)
    assert.equal(outcomeStatus(fixture.do({ type: 'RevokeOperator', id })), 404)
    assert.equal(fixture.do(make('fatou')).kind, 'created')
  })

  it('there are not more of them than the limit', async () => {
    const { fixture } = await given()
    for (let index = 0; index < OPERATORS_MAX; index++) assert.equal(fixture.do(make(`o${index}`)).kind, 'created')
    assert.deepEqual(answerOf(fixture.do(make('one-more'))), ['conflict', 'too_many_operators'])
  })
})
