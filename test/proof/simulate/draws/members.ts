// Requests of members of merchants: sign-ups, sessions, invitations, second factors.
import type { Command, CommandType } from '../../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { LinkKind, ModelLink } from '../models/links.ts'
import type { ModelUser } from '../models/members.ts'
import type { Models } from '../models.ts'
import { merchant } from './pick.ts'

const RECOVERY = ['one', 'two', 'three'] as const

const link = (drawing: Drawing, to: string) => ({ tokenHash: drawing.name('link-'), email: { to, sealed: 'sealed:v1:mail' } })
const session = (drawing: Drawing) => ({ tokenHash: drawing.name('session-'), userAgent: 'Firefox' })

function userOf({ members }: Models, { prng }: Drawing, totp?: ModelUser['totp']): ModelUser | undefined {
  const all = [...members.users.values()]
  return recent(prng, totp !== undefined && prng.chance(0.9) ? all.filter((user) => user.totp === totp) : all)
}

/** A link of the kind that works, mostly. */
function linkOf({ members }: Models, { prng }: Drawing, kind: LinkKind): ModelLink | undefined {
  const all = [...members.links.links.values()].filter((one) => one.kind === kind)
  return recent(prng, prng.chance(0.85) ? all.filter(({ state }) => state === 'sent') : all)
}

function tokenOf(models: Models, drawing: Drawing, kind: LinkKind): string {
  return linkOf(models, drawing, kind)?.tokenHash ?? 'ghost'
}

/** The id of the member's merchant, mostly. */
function ownMerchant(models: Models, drawing: Drawing, { merchantId }: { readonly merchantId: string }): string {
  return drawing.prng.chance(0.05) ? (merchant(models, drawing)?.id ?? merchantId) : merchantId
}

/** Of one who has tried the most passwords, so that some are locked out. */
function guessedKey(models: Models, drawing: Drawing, { email }: ModelUser): string {
  const { users, passwords } = models.members
  if (drawing.prng.chance(0.3)) return email
  const tried = Array.from(users.values(), (user) => ({ email: user.email, ...passwords.of(user.email, drawing.nowMs) }))
  return tried.toSorted((one, other) => other.failures - one.failures)[0]?.email ?? email
}

/** The one with the most open sessions, so that some reach the maximum; or the user. */
function oftenSignedIn({ members }: Models, { prng }: Drawing, user: ModelUser): ModelUser {
  if (prng.chance(0.5)) return user
  const counts = new Map<string, number>()
  for (const { userId } of members.sessions.values()) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return members.users.get(most?.[0] ?? '') ?? user
}

function generationOf({ generation }: ModelUser, { prng }: Drawing): number {
  return prng.chance(0.93) ? generation : generation + 1
}

/** A code of an authenticator or a recovery code, right in most cases. A wrong one is mostly one that was right before. */
function secondFactor(user: ModelUser, { prng }: Drawing) {
  const left = recent(prng, user.recovery)
  if (prng.chance(0.3)) return { kind: 'recovery', hash: prng.chance(0.7) && left !== undefined ? left : prng.pick(RECOVERY) } as const
  if (prng.chance(0.7)) return { kind: 'step', step: user.lastStep + 1 } as const
  return prng.chance(0.3) ? ({ kind: 'wrong' } as const) : ({ kind: 'step', step: user.lastStep } as const)
}

function ofUser(models: Models, make: (user: ModelUser, drawing: Drawing) => Command, totp?: ModelUser['totp']): Draw {
  return (drawing) => {
    const user = userOf(models, drawing, totp)
    return user === undefined ? null : make(drawing.prng.chance(0.02) ? { ...user, id: 'ghost' } : user, drawing)
  }
}

const accountOfMemberDraws = (models: Models) =>
  ({
    SignUpMerchant: (drawing) => {
      const known = drawing.prng.next()
      const taken = known < 0.05 ? userOf(models, drawing) : known < 0.1 ? linkOf(models, drawing, 'invitation') : undefined
      const email = taken?.email ?? `${drawing.name('awa')}@x.example`
      const confirmation = drawing.prng.chance(0.7) ? { confirmation: link(drawing, email) } : {}
      const needs = drawing.prng.chance(0.5) ? { needsActivation: true } : {}
      const about = { merchantName: drawing.name('Boutique '), email, passwordHash: 'password 1', session: session(drawing) }
      return { type: 'SignUpMerchant', ...about, ...confirmation, ...needs }
    },
    OpenDashboardSession: ofUser(models, (drawn, drawing) => {
      const user = oftenSignedIn(models, drawing, drawn)
      const factor = drawing.prng.chance(0.9) && user.totp === 'active' ? { secondFactor: secondFactor(user, drawing) } : {}
      const about = { userId: user.id, generation: generationOf(user, drawing), countKey: user.email }
      const opened = { ...session(drawing), isNewDevice: drawing.prng.chance(0.5) }
      return { type: 'OpenDashboardSession', ...about, session: opened, ...factor }
    }),
    CountWrongPassword: ofUser(models, (user, drawing) => ({ type: 'CountWrongPassword', countKey: guessedKey(models, drawing, user) })),
    CloseDashboardSession: (drawing) => {
      const open = recent(drawing.prng, [...models.members.sessions.values()])
      return open === undefined
        ? null
        : { type: 'CloseDashboardSession', userId: open.userId, sessionId: drawing.prng.chance(0.05) ? 'ghost' : open.id }
    },
    ChangePassword: ofUser(models, (user, drawing) => {
      const own = [...models.members.sessions.values()].findLast(({ userId }) => userId === user.id)
      const about = { userId: user.id, generation: generationOf(user, drawing), countKey: user.email }
      return { type: 'ChangePassword', ...about, passwordHash: 'password 2', sessionId: own?.id ?? 'ghost' }
    }),
    InviteMember: ofUser(models, ({ id }, drawing) => {
      const email = drawing.prng.chance(0.1) ? (userOf(models, drawing)?.email ?? '') : `${drawing.name('moussa')}@x.example`
      return {
        type: 'InviteMember',
        userId: id,
        email,
        role: drawing.prng.pick(['owner', 'manager', 'cashier'] as const),
        link: link(drawing, email),
      }
    }),
    AcceptInvitation: (drawing) => {
      return {
        type: 'AcceptInvitation',
        tokenHash: tokenOf(models, drawing, 'invitation'),
        passwordHash: 'password',
        session: session(drawing),
      }
    },
    RemoveMember: ofUser(models, (anyone, drawing) => {
      const { prng } = drawing
      const invited = prng.chance(0.3) ? linkOf(models, drawing, 'invitation') : undefined
      // A member with a second factor leaves more behind.
      const user = (prng.chance(0.5) ? userOf(models, drawing, 'active') : undefined) ?? anyone
      const merchantId = ownMerchant(models, drawing, invited ?? user)
      return { type: 'RemoveMember', merchantId, memberId: invited?.id ?? user.id }
    }),
    RequestPasswordReset: ofUser(models, ({ email }, drawing) => {
      return { type: 'RequestPasswordReset', email: drawing.prng.chance(0.1) ? 'ghost@x.example' : email, link: link(drawing, email) }
    }),
    ResetPassword: (drawing) => {
      const { tokenHash = 'ghost', email = 'ghost@x.example' } = linkOf(models, drawing, 'reset') ?? {}
      return { type: 'ResetPassword', tokenHash, passwordHash: 'password 3', countKey: email }
    },
    RequestEmailConfirmation: ofUser(models, ({ id, email }, drawing) => ({
      type: 'RequestEmailConfirmation',
      userId: id,
      link: link(drawing, email),
    })),
    ConfirmEmail: (drawing) => ({ type: 'ConfirmEmail', tokenHash: tokenOf(models, drawing, 'confirmation') }),
  }) satisfies Partial<Record<CommandType, Draw>>

export const memberDraws = (models: Models) =>
  ({
    ...accountOfMemberDraws(models),
    EnrolTotp: ofUser(models, ({ id }, drawing) => ({ type: 'EnrolTotp', userId: id, sealedSecret: drawing.name('sealed-') }), 'none'),
    EnableTotp: ofUser(
      models,
      ({ id, secret }, { prng }) => {
        const sealedSecret = prng.chance(0.95) ? secret : 'other'
        return { type: 'EnableTotp', userId: id, sealedSecret, step: 1 + prng.below(100), recovery: RECOVERY }
      },
      'enrolled',
    ),
    ResetTotp: ofUser(
      models,
      (user, drawing) => {
        const operatorReason = drawing.prng.chance(0.5) ? 'Téléphone perdu' : null
        const about = { merchantId: ownMerchant(models, drawing, user), userId: user.id, operatorReason }
        return { type: 'ResetTotp', ...about, notice: { to: user.email, sealed: 'sealed:v1:mail' } }
      },
      'active',
    ),
    RenewRecoveryCodes: ofUser(
      models,
      (user, drawing) => {
        const about = { userId: user.id, generation: generationOf(user, drawing), countKey: user.email, recovery: RECOVERY }
        return { type: 'RenewRecoveryCodes', ...about, secondFactor: secondFactor(user, drawing) }
      },
      'active',
    ),
    DisableTotp: ofUser(
      models,
      (user, drawing) => {
        const about = { userId: user.id, generation: generationOf(user, drawing), countKey: user.email }
        return { type: 'DisableTotp', ...about, secondFactor: secondFactor(user, drawing) }
      },
      'active',
    ),
  }) satisfies Partial<Record<CommandType, Draw>>
