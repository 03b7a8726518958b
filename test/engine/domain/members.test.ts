// Members, links in e-mails and second factors, turn by turn: each token and each code is used once, and races have one winner.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from '../../../engine/api.ts'
import {
  INVITATION_LIFETIME_MS,
  MEMBERS_MAX,
  PASSWORD_ATTEMPTS_MAX,
  RESET_LIFETIME_MS,
  UNCONFIRMED_INVITATIONS_MAX,
} from '../../../engine/domain/dashboard/dashboard-limits.ts'
import { EngineFixture, type Sent } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const EMAIL = 'awa@boutique.example'
const session = (name: string) => ({ tokenHash: `session ${name}`, userAgent: 'Firefox' })
const link = (name: string, to = EMAIL) => ({ tokenHash: name, email: { to, sealed: 'sealed' } })

class Shop {
  readonly fixture: EngineFixture
  readonly userId: string
  readonly merchantId: string

  constructor(fixture: EngineFixture) {
    const signUp = { type: 'SignUpMerchant', merchantName: 'Boutique', email: EMAIL, passwordHash: 'p' } as const
    fixture.do({ ...signUp, session: session('owner'), confirmation: link('confirm') })
    const user = fixture.state.dashboard.userByEmail(EMAIL)
    assert.ok(user !== undefined)
    this.fixture = fixture
    this.userId = user.id
    this.merchantId = user.merchant_id
  }

  static async open(): Promise<Shop> {
    return new Shop(await EngineFixture.open())
  }

  invite(email: string, role: 'owner' | 'viewer' = 'viewer', token = `to ${email}`): [number, string | undefined] {
    return this.do({ type: 'InviteMember', userId: this.userId, email, role, link: link(token, email) })
  }

  accept(tokenHash: string): Command {
    return { type: 'AcceptInvitation', tokenHash, passwordHash: 'p', session: session(tokenHash) }
  }

  member(email: string, role: 'owner' | 'viewer'): string {
    assert.equal(this.invite(email, role)[0], 201)
    assert.equal(this.do(this.accept(`to ${email}`))[0], 201)
    return this.fixture.state.dashboard.userByEmail(email)?.id ?? ''
  }

  remove(memberId: string): Command {
    return { type: 'RemoveMember', merchantId: this.merchantId, memberId }
  }

  do(command: Command): [number, string | undefined] {
    const outcome = this.fixture.do(command)
    return [outcomeStatus(outcome), (JSON.parse(outcome.body) as { code?: string }).code]
  }

  /** Queues all commands, then lets them run. */
  race(...commands: readonly Command[]): number[] {
    const sent: Sent[] = commands.map((command) => this.fixture.send(command))
    this.fixture.settle()
    return sent.map(({ outcome }) => (outcome === null ? 0 : outcomeStatus(outcome)))
  }
}

describe('invitations', () => {
  it('of two acceptances of an invitation one makes the user, and the token is used up', async () => {
    const shop = await Shop.open()
    shop.invite('moussa@boutique.example')
    assert.deepEqual(shop.race(shop.accept('to moussa@boutique.example'), shop.accept('to moussa@boutique.example')), [201, 400])
    await shop.fixture.start()
    assert.deepEqual(shop.do(shop.accept('to moussa@boutique.example')), [400, 'invalid_token'])
    assert.equal(shop.fixture.state.dashboard.usersOf(shop.merchantId).length, 2)
  })

  it('an address belongs to one merchant, also where two merchants have invited it', async () => {
    const shop = await Shop.open()
    const other = 'binta@autre.example'
    const signUp = { type: 'SignUpMerchant', merchantName: 'Autre', email: other, passwordHash: 'p', session: session('b') } as const
    shop.fixture.do(signUp)
    const userId = shop.fixture.state.dashboard.userByEmail(other)?.id ?? ''
    const email = 'moussa@boutique.example'
    shop.invite(email)
    assert.equal(shop.do({ type: 'InviteMember', userId, email, role: 'viewer', link: link('second', email) })[0], 201)
    assert.equal(shop.do(shop.accept('second'))[0], 201)
    assert.deepEqual(shop.do(shop.accept(`to ${email}`)), [409, 'email_taken'])
    assert.deepEqual(shop.invite(email), [409, 'email_taken'])
    assert.deepEqual(shop.invite(other), [409, 'email_taken'])
  })

  it('a second invitation replaces the first, a withdrawn one and one of eight days ago open nothing', async () => {
    const shop = await Shop.open()
    const email = 'moussa@boutique.example'
    shop.invite(email, 'viewer', 'first')
    shop.invite(email, 'owner', 'second')
    assert.deepEqual(shop.do(shop.accept('first')), [400, 'invalid_token'])
    const [open] = shop.fixture.state.dashboard.invitationsOf(shop.merchantId, shop.fixture.loop.nowMs)
    assert.deepEqual(shop.do(shop.remove(open?.id ?? '')), [200, undefined])
    assert.deepEqual(shop.do(shop.accept('second')), [400, 'invalid_token'])
    shop.invite(email, 'viewer', 'third')
    shop.fixture.loop.advance(INVITATION_LIFETIME_MS)
    assert.deepEqual(shop.do(shop.accept('third')), [400, 'invalid_token'])
  })

  it('an owner without a confirmed address has three open invitations, and a merchant a hundred members', async () => {
    const shop = await Shop.open()
    for (let index = 0; index < UNCONFIRMED_INVITATIONS_MAX; index++) assert.equal(shop.invite(`u${index}@boutique.example`)[0], 201)
    assert.deepEqual(shop.invite('more@boutique.example'), [403, 'email_not_confirmed'])
    assert.equal(shop.do({ type: 'ConfirmEmail', tokenHash: 'confirm' })[0], 200)
    for (let index = UNCONFIRMED_INVITATIONS_MAX; index < MEMBERS_MAX - 1; index++) shop.invite(`u${index}@boutique.example`)
    assert.deepEqual(shop.invite('more@boutique.example'), [409, 'too_many_members'])
  })
})

describe('members', () => {
  it('of two owners who remove each other one stays', async () => {
    const shop = await Shop.open()
    const other = shop.member('binta@boutique.example', 'owner')
    assert.deepEqual(shop.race(shop.remove(other), shop.remove(shop.userId)), [200, 409])
    assert.deepEqual(shop.do(shop.remove(shop.userId)), [409, 'last_owner'])
  })

  it('sessions and links of a removed member end, and the address is free', async () => {
    const shop = await Shop.open()
    const email = 'moussa@boutique.example'
    const id = shop.member(email, 'viewer')
    shop.do({ type: 'RequestPasswordReset', email, link: link('reset', email) })
    assert.equal(shop.do(shop.remove(id))[0], 200)
    const { dashboard } = shop.fixture.state
    assert.deepEqual([dashboard.sessionsOf(id).length, dashboard.userByEmail(email)], [0, undefined])
    assert.deepEqual(shop.do({ type: 'ResetPassword', tokenHash: 'reset', passwordHash: 'q', countKey: 'c' }), [400, 'invalid_token'])
    assert.equal(shop.invite(email)[0], 201)
  })

  it('a merchant whose founder left still has no name that an operator reviewed', async () => {
    const shop = await Shop.open()
    shop.member('binta@boutique.example', 'owner')
    shop.do(shop.remove(shop.userId))
    const account = shop.fixture.state.merchants.merchants.get(shop.merchantId)?.accounts.live ?? -1
    assert.equal(shop.fixture.engine.query('merchants.reviewedName', { account }), null)
  })
})

describe('a forgotten password', () => {
  const reset = (tokenHash: string): Command => ({ type: 'ResetPassword', tokenHash, passwordHash: 'new', countKey: 'count' })
  const ask = (tokenHash: string, email = EMAIL): Command => ({ type: 'RequestPasswordReset', email, link: link(tokenHash, email) })

  it('of two resets with one token one sets the password, and every session ends', async () => {
    const shop = await Shop.open()
    assert.equal(shop.do(ask('reset'))[0], 202)
    assert.deepEqual(shop.race(reset('reset'), reset('reset')), [200, 400])
    const user = shop.fixture.state.dashboard.userByEmail(EMAIL)
    assert.deepEqual([user?.password_hash, user?.generation], ['new', 2])
    assert.equal(shop.fixture.state.dashboard.sessionsOf(shop.userId).length, 0)
  })

  it('the newest three tokens work for thirty minutes, and one that is used ends all', async () => {
    const shop = await Shop.open()
    for (const name of ['first', 'second', 'third', 'fourth']) shop.do(ask(name))
    assert.deepEqual(shop.do(reset('first')), [400, 'invalid_token'])
    assert.equal(shop.do(reset('second'))[0], 200)
    for (const name of ['second', 'third', 'fourth']) assert.deepEqual(shop.do(reset(name)), [400, 'invalid_token'], name)
  })

  it('a token ends after thirty minutes, and makes room for no other before', async () => {
    const shop = await Shop.open()
    shop.do(ask('first'))
    shop.fixture.loop.advance(RESET_LIFETIME_MS - 1)
    for (const name of ['second', 'third']) shop.do(ask(name))
    shop.fixture.loop.advance(1)
    assert.deepEqual(shop.do(reset('first')), [400, 'invalid_token'])
    shop.do(ask('fourth'))
    await shop.fixture.start()
    assert.equal(shop.do(reset('second'))[0], 200)
  })

  it('known and unknown addresses leave one record each, and five e-mails an hour go to a known one', async () => {
    const shop = await Shop.open()
    const eventsAfter = (command: Command): readonly string[] => {
      const count = shop.fixture.records.length
      assert.equal(shop.do(command)[0], 202)
      assert.equal(shop.fixture.records.length, count + 1)
      return (shop.fixture.records.at(-1)?.events ?? []).map(({ type }) => type).filter((type) => type !== 'log.counted')
    }
    for (const name of ['1', '2', '3', '4', '5']) assert.deepEqual(eventsAfter(ask(name)), ['dashboard_link.sent', 'message.queued'])
    assert.deepEqual(eventsAfter(ask('6')), ['dashboard_link.ignored'])
    assert.deepEqual(eventsAfter(ask('7', 'nobody@boutique.example')), ['dashboard_link.ignored'])
    assert.equal(shop.do(reset('5'))[0], 200)
    assert.deepEqual(eventsAfter(ask('8')), ['dashboard_link.ignored'], 'a link that was used counts')
    shop.fixture.loop.advance(60 * 60_000)
    assert.deepEqual(eventsAfter(ask('9')), ['dashboard_link.sent', 'message.queued'])
  })

  it('a reset ends the lock of the address', async () => {
    const shop = await Shop.open()
    for (let tries = 0; tries < PASSWORD_ATTEMPTS_MAX; tries++) shop.do({ type: 'CountWrongPassword', countKey: 'count' })
    shop.do(ask('reset'))
    shop.do(reset('reset'))
    const open = { type: 'OpenDashboardSession', userId: shop.userId, countKey: 'count', generation: 2, session: session('new') } as const
    assert.equal(shop.do(open)[0], 200)
  })
})

describe('a second factor', () => {
  async function enabled(): Promise<Shop> {
    const shop = await Shop.open()
    const { userId } = shop
    shop.do({ type: 'EnrolTotp', userId, sealedSecret: 's' })
    assert.equal(shop.do({ type: 'EnableTotp', userId, sealedSecret: 's', step: 5, recovery: ['one', 'two'] })[0], 200)
    return shop
  }
  const open = (shop: Shop, secondFactor: Extract<Command, { type: 'OpenDashboardSession' }>['secondFactor'], name = 'x'): Command => ({
    ...{ type: 'OpenDashboardSession', userId: shop.userId, countKey: 'count', generation: 1, session: session(name) },
    ...(secondFactor === undefined ? {} : { secondFactor }),
  })

  it('without a code a login is refused and not counted', async () => {
    const shop = await enabled()
    for (let tries = 0; tries <= PASSWORD_ATTEMPTS_MAX; tries++) assert.deepEqual(shop.do(open(shop, null)), [401, 'totp_required'])
  })

  it('a time step opens one of two logins, and older steps none', async () => {
    const shop = await enabled()
    assert.deepEqual(shop.race(open(shop, { kind: 'step', step: 7 }, 'a'), open(shop, { kind: 'step', step: 7 }, 'b')), [200, 401])
    assert.deepEqual(shop.do(open(shop, { kind: 'step', step: 6 }, 'c')), [401, 'totp_incorrect'])
    await shop.fixture.start()
    assert.deepEqual(shop.do(open(shop, { kind: 'step', step: 7 }, 'd')), [401, 'totp_incorrect'])
    assert.equal(shop.do(open(shop, { kind: 'step', step: 8 }, 'e'))[0], 200)
  })

  it('the code that turned it on opens nothing and turns nothing off, after a restart too; the next one does', async () => {
    for (const isRestarted of [false, true]) {
      const shop = await enabled()
      if (isRestarted) await shop.fixture.start()
      const disable = { type: 'DisableTotp', userId: shop.userId, generation: 1, countKey: 'other' } as const
      for (const step of [4, 5]) {
        assert.deepEqual(shop.do(open(shop, { kind: 'step', step })), [401, 'totp_incorrect'])
        assert.deepEqual(shop.do({ ...disable, secondFactor: { kind: 'step', step } }), [401, 'totp_incorrect'])
      }
      assert.equal(shop.do(open(shop, { kind: 'step', step: 6 }))[0], 200)
      assert.deepEqual(shop.do({ ...disable, secondFactor: { kind: 'step', step: 6 } }), [401, 'totp_incorrect'])
    }
  })

  it('a recovery code opens one of two logins, and leaves the time step as it is', async () => {
    const shop = await enabled()
    const recovery = { kind: 'recovery', hash: 'one' } as const
    assert.deepEqual(shop.race(open(shop, recovery, 'a'), open(shop, recovery, 'b')), [200, 401])
    assert.equal(shop.do(open(shop, { kind: 'recovery', hash: 'two' }, 'c'))[0], 200)
    assert.deepEqual(shop.do(open(shop, { kind: 'step', step: 5 }, 'd')), [401, 'totp_incorrect'])
    assert.equal(shop.do(open(shop, { kind: 'step', step: 6 }, 'e'))[0], 200)
    assert.deepEqual(shop.do(open(shop, recovery, 'f')), [401, 'totp_incorrect'])
  })

  it('ten wrong codes lock like wrong passwords', async () => {
    const shop = await enabled()
    for (let tries = 1; tries < PASSWORD_ATTEMPTS_MAX; tries++)
      assert.deepEqual(shop.do(open(shop, { kind: 'wrong' })), [401, 'totp_incorrect'])
    assert.deepEqual(shop.do(open(shop, { kind: 'wrong' })), [429, 'rate_limited'])
    assert.deepEqual(shop.do(open(shop, { kind: 'step', step: 9 })), [429, 'rate_limited'])
  })

  it('new recovery codes end the earlier ones, and the code that they cost', async () => {
    const shop = await enabled()
    const { userId } = shop
    const about = { type: 'RenewRecoveryCodes', userId, countKey: 'count', generation: 1 } as const
    assert.deepEqual(shop.do({ ...about, secondFactor: { kind: 'wrong' }, recovery: ['bad'] }), [401, 'totp_incorrect'])
    assert.deepEqual(shop.do({ ...about, generation: 2, secondFactor: { kind: 'step', step: 9 }, recovery: [] }), [
      401,
      'invalid_credentials',
    ])
    assert.equal(shop.do({ ...about, secondFactor: { kind: 'step', step: 9 }, recovery: ['new'] })[0], 200)
    for (const spent of [{ kind: 'step', step: 9 } as const, { kind: 'recovery', hash: 'one' } as const])
      assert.deepEqual(shop.do(open(shop, spent)), [401, 'totp_incorrect'])
    assert.equal(shop.do({ ...about, secondFactor: { kind: 'recovery', hash: 'new' }, recovery: ['newer'] })[0], 200)
    assert.deepEqual(shop.do(open(shop, { kind: 'step', step: 9 })), [401, 'totp_incorrect'], 'the newest step stays')
    assert.equal(shop.do(open(shop, { kind: 'recovery', hash: 'newer' }))[0], 200)
  })

  it('an enrolment that was replaced is not confirmed, an active one is not replaced, and it ends with a code', async () => {
    const shop = await Shop.open()
    const { userId } = shop
    shop.do({ type: 'EnrolTotp', userId, sealedSecret: 'first' })
    shop.do({ type: 'EnrolTotp', userId, sealedSecret: 'second' })
    const enable = { type: 'EnableTotp', userId, step: 1, recovery: [] } as const
    assert.deepEqual(shop.do({ ...enable, sealedSecret: 'first' }), [409, 'totp_not_enrolled'])
    assert.equal(shop.do({ ...enable, sealedSecret: 'second' })[0], 200)
    assert.deepEqual(shop.do({ type: 'EnrolTotp', userId, sealedSecret: 'third' }), [409, 'totp_already_enabled'])
    const disable = { type: 'DisableTotp', userId, generation: 1, countKey: 'count' } as const
    assert.deepEqual(shop.do({ ...disable, secondFactor: { kind: 'wrong' } }), [401, 'totp_incorrect'])
    assert.equal(shop.do({ ...disable, secondFactor: { kind: 'step', step: 2 } })[0], 200)
    assert.deepEqual(shop.do({ ...disable, secondFactor: { kind: 'step', step: 3 } }), [409, 'totp_not_enabled'])
    assert.equal(shop.do(open(shop, null))[0], 200)
  })
})
