// Dual control of top-ups and withdrawals: a large confirmation or payment has two people, and of all decisions one winner.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ActingOperator, CashRequestKind } from '../../../../engine/api.ts'
import type { Approval } from '../../../../engine/contract/approval.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { APPROVALS_WAITING_MAX } from '../../../../engine/domain/funding/approval-request.ts'
import { ACCOUNT_BALANCE_MAX } from '../../../../engine/kernel/limits.ts'
import {
  type CashSetup,
  confirmTopUp,
  decidingCash,
  openCashSetup,
  payWithdrawal,
  requested,
  requestTopUp,
  requestWithdrawal,
} from '../../../support/cash-request-commands.ts'
import { deposit } from '../../../support/commands.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'

const ABOVE = 1_000
const BEFORE = 5_000
const FATOU: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000001', name: 'Fatou' }
const MOUSSA: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000002', name: 'Moussa' }
const KINDS = ['top_up', 'withdrawal'] as const
const DONE = { top_up: 'confirmed', withdrawal: 'paid' } as const

async function liveSetup(): Promise<CashSetup> {
  const setup = await openCashSetup(0)
  assert.equal(setup.fixture.do(deposit({ merchantId: setup.merchant.id }, BEFORE, 'live')).kind, 'created')
  return setup
}

function open({ fixture, merchant }: CashSetup, kind: CashRequestKind, amount = ABOVE + 1): string {
  return requested(fixture, (kind === 'top_up' ? requestTopUp : requestWithdrawal)(merchant.live, amount, 'ref'))
}

/** Confirms the top-up or pays the withdrawal. */
function finish(kind: CashRequestKind, id: string, secondPersonAbove: number | null = ABOVE): Command {
  return kind === 'top_up' ? confirmTopUp(id, { secondPersonAbove }) : { ...payWithdrawal(id), secondPersonAbove }
}

function as({ fixture }: CashSetup, operator: ActingOperator, command: Command): unknown[] {
  const outcome = fixture.do(command, { operator })
  const { code, state } = JSON.parse(outcome.body) as { readonly code?: string; readonly state?: string }
  return [outcomeStatus(outcome), code ?? state]
}

function asked(setup: CashSetup, kind: CashRequestKind, id: string): Approval {
  const { kind: outcome, body } = setup.fixture.do(finish(kind, id), { operator: FATOU })
  assert.equal(outcome, 'accepted', body)
  return JSON.parse(body) as Approval
}

const approve = ({ id }: Approval): Command => ({ type: 'ApproveMovement', id })
const refuse = ({ id }: Approval): Command => ({ type: 'RefuseMovement', id, reason: 'Non.' })

function others(setup: CashSetup, kind: CashRequestKind, id: string): readonly Command[] {
  const { live } = setup.merchant
  return [finish(kind, id), finish(kind, id, null), decidingCash(kind, 'refused', id, live), decidingCash(kind, 'cancelled', id, live)]
}

const liveBalance = ({ fixture, merchant }: CashSetup): number => fixture.state.accounts.balance(merchant.live)
const after = { top_up: BEFORE + ABOVE + 1, withdrawal: BEFORE - ABOVE - 1 } as const

/** Each withdrawal costs 100. */
const FEES: Command = {
  type: 'ChangeRules',
  change: {
    ...{ kind: 'fee_rules', environment: 'live', currency: 'XOF' },
    rules: {
      plans: [{ name: 'one', rules: [{ on: 'withdrawal', percent_bp: 0, fixed: 100, borne_by: 'payer' }], refund_fees: false }],
      default_plan: 'one',
    },
  },
}

it('the balance after a withdrawal is after its fee, while it waits and once it is approved', async () => {
  const setup = await liveSetup()
  assert.equal(setup.fixture.do(FEES).kind, 'ok')
  const waiting = asked(setup, 'withdrawal', open(setup, 'withdrawal'))
  assert.equal(waiting.balance_after, after.withdrawal - 100)
  const approved = JSON.parse(setup.fixture.do(approve(waiting), { operator: MOUSSA }).body) as Approval
  assert.deepEqual([approved.balance_before, approved.balance_after], [BEFORE, after.withdrawal - 100])
  assert.equal(liveBalance(setup), after.withdrawal - 100)
})

for (const kind of KINDS) {
  describe(`a large ${kind}`, () => {
    it(`a ${kind} above the limit moves nothing until another operator approves it, once`, async () => {
      const setup = await liveSetup()
      const id = open(setup, kind)
      const approval = asked(setup, kind, id)
      const { state, request_id, merchant_id, amount, requested_by } = approval
      assert.deepEqual([state, request_id, merchant_id, amount, requested_by], ['waiting', id, setup.merchant.id, ABOVE + 1, FATOU])
      assert.equal(liveBalance(setup), BEFORE)
      assert.deepEqual(as(setup, FATOU, approve(approval)), [403, 'second_person_required'])
      const approved = JSON.parse(setup.fixture.do(approve(approval), { operator: MOUSSA }).body) as Approval
      assert.deepEqual([approved.state, approved.decided_by, approved.balance_after], ['approved', MOUSSA, after[kind]])
      assert.equal(liveBalance(setup), after[kind])
      assert.equal(setup.fixture.state.accounts.held(setup.merchant.live), 0)
      const request = JSON.parse(setup.fixture.engine.query('cashRequests.forOperator', { kind, id }) ?? '') as Record<string, unknown>
      assert.deepEqual([request.state, request.transaction_id, request.approval_id], [DONE[kind], approved.transaction_id, null])
      assert.deepEqual(as(setup, MOUSSA, approve(approval)), [409, 'approval_not_waiting'])
      for (const command of others(setup, kind, id)) assert.deepEqual(as(setup, MOUSSA, command), [409, 'request_not_open'])
    })

    it(`while a ${kind} waits every other decision answers approval_waiting, and after a refusal of the movement it is open`, async () => {
      const setup = await liveSetup()
      const id = open(setup, kind)
      const approval = asked(setup, kind, id)
      const rows = setup.fixture.rows()
      for (const command of others(setup, kind, id)) assert.deepEqual(as(setup, MOUSSA, command), [409, 'approval_waiting'])
      assert.deepEqual(setup.fixture.rows(), rows, 'nothing has changed')
      assert.deepEqual(as(setup, FATOU, refuse(approval)), [200, 'refused'])
      assert.deepEqual(as(setup, MOUSSA, approve(approval)), [409, 'approval_not_waiting'])
      assert.deepEqual(as(setup, FATOU, decidingCash(kind, 'cancelled', id, setup.merchant.live)), [200, 'cancelled'])
      assert.equal(setup.fixture.state.accounts.available(setup.merchant.live), BEFORE)
    })

    it(`of decisions about a ${kind} that are queued together one wins, also after a crash between turn and flush`, async () => {
      const rows = [
        ['approve', 'cancel', 'refuse'],
        ['cancel', 'approve', 'approve'],
        ['refuse', 'approve', 'cancel'],
        ['refuse movement', 'approve', 'cancel'],
      ] as const
      const winners = [after[kind], after[kind], after[kind], BEFORE]
      for (const [index, row] of rows.entries()) {
        const setup = await liveSetup()
        const { fixture, merchant } = setup
        const id = open(setup, kind)
        const approval = asked(setup, kind, id)
        const lost = fixture.send(approve(approval), { operator: MOUSSA, key: 'lost' })
        fixture.loop.turn()
        await fixture.start()
        assert.equal(lost.outcome, null)
        const commands = {
          approve: approve(approval),
          'refuse movement': refuse(approval),
          cancel: decidingCash(kind, 'cancelled', id, merchant.live),
          refuse: decidingCash(kind, 'refused', id, merchant.live),
        }
        const sent = row.map((name) => fixture.send(commands[name], { operator: MOUSSA }))
        fixture.settle()
        const statuses = sent.map(({ outcome }) => outcome !== null && outcomeStatus(outcome))
        const expected = row[0] === 'refuse movement' ? [200, 409, 200] : row.map((_, at) => (at === row.indexOf('approve') ? 200 : 409))
        assert.deepEqual(statuses, expected, row.join(', '))
        await fixture.start()
        assert.equal(liveBalance(setup), winners[index], row.join(', '))
        assert.equal(fixture.state.approvals.waiting.size, 0)
        assert.equal(fixture.state.cashRequests.open.size, 0)
      }
    })

    it(`a ${kind} that was asked for waits after a restart with another limit, and a smaller one never waits`, async () => {
      const setup = await liveSetup()
      const id = open(setup, kind)
      const approval = asked(setup, kind, id)
      await setup.fixture.start()
      assert.deepEqual(as(setup, MOUSSA, finish(kind, id, ABOVE * 9)), [409, 'approval_waiting'], 'a raised limit')
      assert.deepEqual(as(setup, MOUSSA, finish(kind, id, null)), [409, 'approval_waiting'], 'no limit')
      assert.deepEqual(as(setup, FATOU, approve(approval)), [403, 'second_person_required'])
      assert.deepEqual(as(setup, MOUSSA, approve(approval)), [200, 'approved'])
      assert.deepEqual(as(setup, FATOU, finish(kind, open(setup, kind, ABOVE))), [200, DONE[kind]])
    })
  })
}

describe('a large movement of a merchant', () => {
  it('what arrived of a top-up is compared with the limit, not what was announced', async () => {
    const setup = await liveSetup()
    const confirm = (announced: number, amount: number): unknown[] =>
      as(setup, FATOU, confirmTopUp(open(setup, 'top_up', announced), { amount, secondPersonAbove: ABOVE }))
    assert.deepEqual(confirm(ABOVE * 9, ABOVE), [200, 'confirmed'])
    assert.deepEqual(confirm(ABOVE, ABOVE + 1), [202, 'waiting'])
  })

  it('test money needs no second operator, and neither does the test helper', async () => {
    const setup = await openCashSetup(BEFORE)
    const { fixture, merchant } = setup
    for (const by of [null, merchant.test]) {
      const topUp = requested(fixture, requestTopUp(merchant.test, ABOVE + 1))
      assert.deepEqual(as(setup, FATOU, confirmTopUp(topUp, { merchant: by, secondPersonAbove: ABOVE })), [200, 'confirmed'])
    }
  })

  it('a top-up above the maximum of the balance is refused at its approval and still waits', async () => {
    const setup = await openCashSetup(0)
    const approval = asked(setup, 'top_up', open(setup, 'top_up'))
    const fill = deposit({ merchantId: setup.merchant.id }, ACCOUNT_BALANCE_MAX - ABOVE, 'live')
    assert.equal(setup.fixture.do(fill).kind, 'created')
    assert.deepEqual(as(setup, MOUSSA, approve(approval)), [409, 'recipient_limit_exceeded'])
    assert.equal(setup.fixture.state.approvals.waiting.get(approval.id)?.state, 'waiting')
  })

  it('not more movements wait than the limit', async () => {
    const setup = await liveSetup()
    const id = open(setup, 'top_up')
    const waiting = { ...deposit({ merchantId: setup.merchant.id }, ABOVE + 1, 'live'), secondPersonAbove: ABOVE }
    for (let count = 0; count < APPROVALS_WAITING_MAX; count++) setup.fixture.do(waiting, { operator: FATOU })
    assert.deepEqual(as(setup, FATOU, finish('top_up', id)), [409, 'too_many_approvals'])
    assert.deepEqual(as(setup, FATOU, finish('top_up', id, null)), [200, 'confirmed'])
  })

  it('the audit names both operators, and the target is the request', async () => {
    const setup = await liveSetup()
    const topUp = open(setup, 'top_up')
    as(setup, MOUSSA, approve(asked(setup, 'top_up', topUp)))
    const withdrawal = open(setup, 'withdrawal')
    as(setup, MOUSSA, refuse(asked(setup, 'withdrawal', withdrawal)))
    const actions = setup.fixture.engine.query('operatorActions.list', { slice: 'first', query: { limit: 4 } })
    const rows = (actions?.rows ?? []).map(
      (row) => JSON.parse(row) as { action: string; target: string; operator: ActingOperator; details: { requested_by?: string } },
    )
    assert.deepEqual(
      rows.map(({ action, target, operator, details }) => [action, target, operator.name, details.requested_by]),
      [
        ['withdrawal_payment.refuse', withdrawal, 'Moussa', 'Fatou'],
        ['withdrawal_payment.request', withdrawal, 'Fatou', undefined],
        ['top_up.confirm', topUp, 'Moussa', 'Fatou'],
        ['top_up_confirmation.request', topUp, 'Fatou', undefined],
      ],
    )
  })
})
