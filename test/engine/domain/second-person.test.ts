// Dual control: the sum that an operator moves alone in a day, and operators with rights who need a second administrator.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ActingOperator } from '../../../engine/api.ts'
import type { OperatorRole } from '../../../engine/contract/operator.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { OPERATOR_REQUESTS_MAX } from '../../../engine/domain/operator/operator-limits.ts'
import { confirmTopUp, payWithdrawal, requested, requestTopUp, requestWithdrawal } from '../../support/cash-request-commands.ts'
import { deposit, openMerchant, withdraw } from '../../support/commands.ts'
import { EngineFixture, START_MS } from '../../support/engine-fixture.ts'
import { Follower } from '../../support/follower.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const ABOVE = 1_000
const DAY_MS = 86_400_000
const FATOU: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000001', name: 'Fatou' }
const MOUSSA: ActingOperator = { id: '01a0c450-0000-7000-8000-000000000002', name: 'Moussa' }

interface Setup {
  readonly fixture: EngineFixture
  readonly merchantId: string
  readonly live: number
}

async function given(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { id, live } = openMerchant(fixture, 'baobab')
  return { fixture, merchantId: id, live }
}

const part = ({ merchantId }: Setup, amount: number) =>
  ({ ...deposit({ merchantId }, amount, 'live'), secondPersonAboveDay: ABOVE }) as const

/** Status and, of a rejection, code. */
function sent({ fixture }: Setup, command: Command, operator?: ActingOperator, key?: string): number | string {
  const outcome = fixture.do(command, { ...(operator === undefined ? {} : { operator }), ...(key === undefined ? {} : { key }) })
  const { code } = JSON.parse(outcome.body) as { readonly code?: string }
  return code ?? outcomeStatus(outcome)
}

const idOf = ({ fixture }: Setup): string => (JSON.parse(fixture.records.at(-1)?.events[0]?.text ?? '{}') as { id: string }).id

describe('the sum of a day that an operator moves alone', () => {
  it('parts of a large amount need a second operator as the whole does, whatever kinds of movements they are', async () => {
    const rows: readonly ((setup: Setup) => Command)[] = [
      (setup) => part(setup, 251),
      ({ merchantId }) => ({ ...withdraw({ merchantId }, 251, 'live'), secondPersonAboveDay: ABOVE }),
      ({ fixture, live }) => confirmTopUp(requested(fixture, requestTopUp(live, 5)), { amount: 251, secondPersonAboveDay: ABOVE }),
      ({ fixture, live }) => ({ ...payWithdrawal(requested(fixture, requestWithdrawal(live, 251))), secondPersonAboveDay: ABOVE }),
    ]
    for (const [index, last] of rows.entries()) {
      const setup = await given()
      sent(setup, deposit({ merchantId: setup.merchantId }, ABOVE * 9, 'live'), FATOU)
      const others = rows.filter((_, other) => other !== index)
      for (const other of others) assert.ok([200, 201].includes(Number(sent(setup, other(setup), FATOU))))
      assert.equal(sent(setup, last(setup), FATOU), 202)
      assert.ok([200, 201].includes(Number(sent(setup, last(setup), MOUSSA))), 'another operator has a sum of its own')
    }
  })

  it('a day ends at midnight UTC, and its counts are removed by the first of the next day', async () => {
    const setup = await given()
    assert.deepEqual([sent(setup, part(setup, ABOVE), FATOU), sent(setup, part(setup, 1), FATOU)], [201, 202])
    assert.equal(sent(setup, part(setup, 5)), 201)
    setup.fixture.loop.nowMs = (Math.floor(START_MS / DAY_MS) + 1) * DAY_MS - 1
    assert.equal(sent(setup, part(setup, 1), FATOU), 202)
    setup.fixture.loop.nowMs += 1
    assert.equal(sent(setup, part(setup, ABOVE), FATOU), 201)
    assert.deepEqual(
      Array.from(setup.fixture.state.approvals.movedAlone.rows(), ([key]) => key),
      [FATOU.id],
    )
  })

  it('test money, approved movements and movements without a limit are not counted', async () => {
    const setup = await given()
    const { fixture, merchantId } = setup
    assert.equal(sent(setup, part(setup, ABOVE * 2), FATOU), 202)
    assert.equal(sent(setup, { type: 'ApproveMovement', id: idOf(setup) }, MOUSSA), 200)
    assert.equal(sent(setup, { ...deposit({ merchantId }, ABOVE * 2, 'test'), secondPersonAboveDay: ABOVE }, FATOU), 201)
    assert.equal(sent(setup, deposit({ merchantId }, ABOVE * 2, 'live'), FATOU), 201)
    assert.equal(fixture.state.approvals.movedAlone.size, 0)
    assert.deepEqual([sent(setup, part(setup, ABOVE), FATOU), sent(setup, part(setup, ABOVE), MOUSSA)], [201, 201])
  })

  it('of two parts that are queued together one waits, and a repeated key counts once', async () => {
    const setup = await given()
    const { fixture, live } = setup
    const both = ['one', 'two'].map((key) => fixture.send(part(setup, 600), { operator: FATOU, key }))
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcome !== null && outcomeStatus(outcome)),
      [201, 202],
    )
    for (const key of ['one', 'one']) assert.equal(fixture.do(part(setup, 600), { operator: FATOU, key }).replayed, true)
    assert.deepEqual([sent(setup, part(setup, 401), FATOU), sent(setup, part(setup, 400), FATOU)], [202, 201])
    assert.equal(fixture.state.accounts.balance(live), ABOVE)
  })

  it('the sum survives a crash, a snapshot, the loss of the archive and a takeover', async () => {
    const setup = await given()
    const { fixture } = setup
    assert.equal(sent(setup, part(setup, ABOVE), FATOU), 201)
    const rows = fixture.rows()
    const restarts = [
      () => fixture.start(),
      async () => {
        await fixture.close()
        await fixture.start()
      },
      () => fixture.startWithoutArchive(),
    ]
    for (const restart of restarts) {
      await restart()
      assert.deepEqual(fixture.rows(), rows)
    }
    const follower = await Follower.open()
    await follower.catchUp(fixture.log)
    assert.deepEqual(follower.rows(), rows)
    assert.equal(sent(setup, part(setup, 1), FATOU), 202)
  })
})

const AWA = 'awa@service.example'

const make = (email: string, role: OperatorRole, isDualControlled = true): Command => ({
  ...{ type: 'CreateOperator', name: email, email, role, tokenHash: `hash ${email}`, sealedToken: 'sealed', isDualControlled },
})

const approveOf = (id: string): Command => ({
  ...{ type: 'ApproveOperator', id, credential: { tokenHash: `mailed ${id}`, email: { to: 'x@service.example', sealed: 'sealed' } } },
})

/** The first administrator, whom the holder of OPERATOR_TOKEN makes alone. */
function administrator(setup: Setup): ActingOperator {
  assert.equal(sent(setup, make(AWA, 'admin')), 201)
  return { id: setup.fixture.state.operators.byEmail(AWA)?.id ?? '', name: AWA }
}

describe('a new operator under dual control', () => {
  it('the first administrator is made alone; others with rights over money or operators wait for a second person', async () => {
    const setup = await given()
    assert.equal(sent(setup, make('fatou@service.example', 'finance')), 202)
    const awa = administrator(setup)
    const rows: readonly [OperatorRole, ActingOperator | undefined, number][] = [
      ['admin', undefined, 202],
      ['admin', awa, 202],
      ['finance', awa, 202],
      ['curator', awa, 201],
      ['support', undefined, 201],
    ]
    for (const [index, [role, by, status]] of rows.entries()) assert.equal(sent(setup, make(`${index}@service.example`, role), by), status)
    assert.equal(sent(await given(), make('fatou@service.example', 'finance', false)), 201)
  })

  it('its token opens from the approval of another administrator on, once', async () => {
    const setup = await given()
    const { operators } = setup.fixture.state
    const awa = administrator(setup)
    assert.equal(sent(setup, make('fatou@service.example', 'finance'), awa), 202)
    const id = idOf(setup)
    assert.equal(sent(setup, approveOf(id), awa), 'second_person_required')
    assert.equal(sent(setup, make('fatou@service.example', 'support'), awa), 'email_taken')
    assert.equal(sent(setup, approveOf(id)), 200)
    const last = setup.fixture.records.at(-1)?.events.map(({ type }) => type)
    assert.ok(last?.includes('message.queued'), 'the token leaves with the approval')
    assert.equal(operators.byTokenHash('hash fatou@service.example'), undefined, 'the operator who asked has no token')
    assert.deepEqual([operators.byTokenHash(`mailed ${id}`)?.id, operators.waiting.size], [id, 0])
    assert.equal(sent(setup, approveOf(id)), 'approval_not_waiting')
    assert.equal(sent(setup, { type: 'RefuseOperator', id, reason: 'Non.' }, awa), 'approval_not_waiting')
    assert.equal(sent(setup, approveOf('01a0c450-0000-7000-8000-00000000000f')), 'not_found')
  })

  it('of an approval and a refusal that are queued together one wins, also after a crash between turn and flush', async () => {
    const setup = await given()
    const { fixture } = setup
    const awa = administrator(setup)
    assert.equal(sent(setup, make('fatou@service.example', 'finance'), awa), 202)
    const id = idOf(setup)
    fixture.send(approveOf(id), { key: 'lost' })
    fixture.loop.turn()
    await fixture.start()
    assert.equal(fixture.state.operators.waiting.size, 1)
    const both = [
      fixture.send({ type: 'RefuseOperator', id, reason: 'Non.' }, { operator: awa }),
      fixture.send(approveOf(id), { key: 'lost' }),
    ]
    fixture.settle()
    assert.deepEqual(
      both.map(({ outcome }) => outcome !== null && outcomeStatus(outcome)),
      [200, 409],
    )
    await fixture.start()
    assert.equal(fixture.state.operators.byEmail('fatou@service.example'), undefined)
    assert.equal(sent({ ...setup }, make('fatou@service.example', 'finance'), awa), 202, 'the address is free again')
  })

  it('OPERATOR_TOKEN is no second time first: after all administrators are revoked it makes none alone', async () => {
    const setup = await given()
    const awa = administrator(setup)
    assert.equal(sent(setup, { type: 'RevokeOperator', id: awa.id ?? '', isDualControlled: true }), 202)
    assert.equal(sent(setup, approveOf(idOf(setup))), 'second_person_required')
    assert.equal(sent(setup, { type: 'RevokeOperator', id: awa.id ?? '' }), 200, 'without dual control')
    await setup.fixture.startWithoutArchive()
    assert.equal(sent(setup, make('fatou@service.example', 'admin')), 202)
  })

  it('an operator that is revoked has nothing that waits, and what others asked about it ends too', async () => {
    const setup = await given()
    const awa = administrator(setup)
    sent(setup, make('fatou@service.example', 'finance'), awa)
    const { fixture } = setup
    const merchantId = openMerchant(fixture, 'Boutique').id
    const large = { ...deposit({ merchantId }, 5_000, 'live'), secondPersonAbove: 1_000 } as const
    assert.equal(sent(setup, large, awa), 202)
    assert.equal(sent(setup, { type: 'RevokeOperator', id: awa.id ?? '', isDualControlled: true }), 202)
    assert.equal(sent(setup, { type: 'RevokeOperator', id: awa.id ?? '', isDualControlled: true }), 'approval_waiting')
    assert.deepEqual([fixture.state.operators.waiting.size, fixture.state.approvals.waiting.size], [2, 1])
    assert.equal(sent(setup, { type: 'RevokeOperator', id: awa.id ?? '' }), 200)
    assert.deepEqual([fixture.state.operators.waiting.size, fixture.state.approvals.waiting.size], [0, 0])
  })

  it('requests survive a restart, and not more wait than the limit', async () => {
    const setup = await given()
    const { fixture } = setup
    for (let count = 0; count < OPERATOR_REQUESTS_MAX; count++) sent(setup, make(`${count}@service.example`, 'finance'))
    assert.equal(sent(setup, make('last@service.example', 'finance')), 'too_many_approvals')
    const rows = fixture.rows()
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), rows)
    const page = fixture.engine.query('operatorRequests.list', { query: { limit: 1 } })
    assert.equal(page?.rows.length, 1)
    assert.doesNotMatch(page.rows.join(), /hash/)
  })

  it('the audit names who asked and who approved', async () => {
    const setup = await given()
    const awa = administrator(setup)
    sent(setup, make('fatou@service.example', 'finance'), awa)
    sent(setup, approveOf(idOf(setup)))
    const { rows = [] } = setup.fixture.engine.query('operatorActions.list', { slice: 'first', query: { limit: 2 } }) ?? {}
    assert.deepEqual(
      rows.map((row) => {
        const { action, operator, details } = JSON.parse(row) as {
          action: string
          operator: ActingOperator
          details: { requested_by?: string }
        }
        return [action, operator.name, details.requested_by]
      }),
      [
        ['operator.create', 'OPERATOR_TOKEN', AWA],
        ['operator.request', AWA, undefined],
      ],
    )
  })
})
