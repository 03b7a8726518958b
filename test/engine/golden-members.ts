// The scenario behind the golden file of members, second factors and links in e-mails.

import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

const MINUTE_MS = 60_000

export function playMembers(fixture: EngineFixture): void {
  const { dashboard } = fixture.state
  const session = (name: string) => ({ tokenHash: `session ${name}`, userAgent: 'Firefox' })
  const link = (name: string, to: string) => ({ tokenHash: `link ${name}`, email: { to, sealed: 'sealed' } })
  const owner = 'awa@boutique.example'
  const signUp = { type: 'SignUpMerchant', merchantName: 'Boutique "Baobab"', email: owner, passwordHash: 'password 1' } as const
  must(fixture, { ...signUp, session: session('a'), confirmation: link('confirm', owner) }, 201)
  const userId = dashboard.userByEmail(owner)?.id ?? ''
  must(fixture, { type: 'RequestEmailConfirmation', userId, link: link('too soon', owner) }, 202)
  fixture.loop.nowMs += 2 * MINUTE_MS
  must(fixture, { type: 'RequestEmailConfirmation', userId, link: link('again', owner) }, 202)
  must(fixture, { type: 'ConfirmEmail', tokenHash: 'link again' }, 200)
  const invite = (email: string) => ({ type: 'InviteMember', userId, email, role: 'cashier', link: link(email, email) }) as const
  must(fixture, invite('moussa@boutique.example'), 201, 'invited')
  const password = { passwordHash: 'password 2', session: session('b') }
  must(fixture, { type: 'AcceptInvitation', tokenHash: 'link moussa@boutique.example', ...password }, 201)
  const moussa = dashboard.userByEmail('moussa@boutique.example')
  must(fixture, { type: 'RequestPasswordReset', email: owner, link: link('reset', owner) }, 202)
  must(fixture, { type: 'RequestPasswordReset', email: 'nobody@boutique.example', link: link('none', owner) }, 202)
  must(fixture, { type: 'ResetPassword', tokenHash: 'link reset', passwordHash: 'password 3', countKey: 'count' }, 200)
  must(fixture, { type: 'EnrolTotp', userId, sealedSecret: 'sealed secret' }, 200)
  must(fixture, { type: 'EnableTotp', userId, sealedSecret: 'sealed secret', step: 5, recovery: ['one', 'two'] }, 200)
  const open = { type: 'OpenDashboardSession', userId, countKey: 'count', generation: 2 } as const
  must(fixture, { ...open, session: session('c'), secondFactor: { kind: 'step', step: 6 } }, 200)
  must(fixture, { ...open, session: session('d'), secondFactor: { kind: 'recovery', hash: 'one' } }, 200)
  must(fixture, { ...open, session: session('e'), secondFactor: { kind: 'step', step: 6 } }, 401)
  const merchantId = moussa?.merchant_id ?? ''
  must(fixture, { type: 'EnrolTotp', userId: moussa?.id ?? '', sealedSecret: 'sealed' }, 200)
  must(fixture, { type: 'EnableTotp', userId: moussa?.id ?? '', sealedSecret: 'sealed', step: 1, recovery: [] }, 200)
  const disable = { type: 'DisableTotp', userId: moussa?.id ?? '', countKey: 'other', generation: 1 } as const
  must(fixture, { ...disable, secondFactor: { kind: 'step', step: 2 } }, 200)
  must(fixture, { type: 'RemoveMember', merchantId, memberId: moussa?.id ?? '' }, 200)
  must(fixture, { type: 'RemoveMember', merchantId, memberId: userId }, 409)
  must(fixture, invite('binta@boutique.example'), 201)
}
