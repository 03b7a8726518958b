// Requests of members and operators: sign-ups, sessions, invitations, second factors, API keys, runs of code.
import type { Command, CommandType } from '../../../engine/domain/command.ts'
import { type Draw, type Drawing, recent } from '../entry.ts'
import type { ModelUser } from '../models/people.ts'
import type { Models } from '../models.ts'
import { environment, merchant, merchantAccount } from './pick.ts'

const link = (drawing: Drawing, to: string) => ({ tokenHash: drawing.name('link-'), email: { to, sealed: 'sealed:v1:mail' } })
const session = (drawing: Drawing) => ({ tokenHash: drawing.name('session-'), userAgent: 'Firefox' })

function userOf({ people }: Models, { prng }: Drawing, totp?: ModelUser['totp']): ModelUser | undefined {
  const all = [...people.users.values()]
  return recent(prng, totp !== undefined && prng.chance(0.9) ? all.filter((user) => user.totp === totp) : all)
}

/** The token of a link of the kind that works, mostly. */
function tokenOf({ people }: Models, { prng }: Drawing, kind: string): string {
  const all = [...people.links.values()].filter((one) => one.kind === kind)
  return recent(prng, prng.chance(0.85) ? all.filter(({ state }) => state === 'sent') : all)?.tokenHash ?? 'ghost'
}

function generationOf({ generation }: ModelUser, { prng }: Drawing): number {
  return prng.chance(0.93) ? generation : generation + 1
}

/** A code of an authenticator or a recovery code, right in most cases. */
function secondFactor(user: ModelUser, { prng }: Drawing) {
  const hash = recent(prng, user.recovery)
  if (hash !== undefined && prng.chance(0.3)) return { kind: 'recovery', hash } as const
  return prng.chance(0.75)
    ? ({ kind: 'step', step: user.lastStep + 1 } as const)
    : prng.pick([{ kind: 'wrong' }, { kind: 'step', step: user.lastStep }] as const)
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
      const email = drawing.prng.chance(0.05) ? (userOf(models, drawing)?.email ?? 'a@x.example') : `${drawing.name('awa')}@x.example`
      const confirmation = drawing.prng.chance(0.7) ? { confirmation: link(drawing, email) } : {}
      const needs = drawing.prng.chance(0.5) ? { needsActivation: true } : {}
      const about = { merchantName: drawing.name('Boutique '), email, passwordHash: 'password 1', session: session(drawing) }
      return { type: 'SignUpMerchant', ...about, ...confirmation, ...needs }
    },
    OpenDashboardSession: ofUser(models, (user, drawing) => {
      const factor = drawing.prng.chance(0.9) && user.totp === 'active' ? { secondFactor: secondFactor(user, drawing) } : {}
      const about = { userId: user.id, generation: generationOf(user, drawing), countKey: user.email }
      return { type: 'OpenDashboardSession', ...about, session: session(drawing), ...factor }
    }),
    CountWrongPassword: ofUser(models, ({ email }) => ({ type: 'CountWrongPassword', countKey: email })),
    CloseDashboardSession: (drawing) => {
      const open = recent(drawing.prng, [...models.people.sessions.values()])
      return open === undefined
        ? null
        : { type: 'CloseDashboardSession', userId: open.userId, sessionId: drawing.prng.chance(0.05) ? 'ghost' : open.id }
    },
    ChangePassword: ofUser(models, (user, drawing) => {
      const own = [...models.people.sessions.values()].findLast(({ userId }) => userId === user.id)
      const about = { userId: user.id, generation: generationOf(user, drawing), countKey: user.email }
      return { type: 'ChangePassword', ...about, passwordHash: 'password 2', sessionId: own?.id ?? 'ghost' }
    }),
    InviteMember: ofUser(models, ({ id }, drawing) => {
      const email = drawing.prng.chance(0.1) ? (userOf(models, drawing)?.email ?? '') : `${drawing.name('moussa')}@x.example`
      return { type: 'InviteMember', userId: id, email, role: drawing.prng.pick(['owner', 'cashier'] as const), link: link(drawing, email) }
    }),
    AcceptInvitation: (drawing) => {
      return {
        type: 'AcceptInvitation',
        tokenHash: tokenOf(models, drawing, 'invitation'),
        passwordHash: 'password',
        session: session(drawing),
      }
    },
    RemoveMember: ofUser(models, ({ id, merchantId }, { prng }) => {
      const invited = recent(
        prng,
        [...models.people.links.values()].filter(({ kind, state }) => kind === 'invitation' && state === 'sent'),
      )
      return { type: 'RemoveMember', merchantId, memberId: invited !== undefined && prng.chance(0.3) ? invited.id : id }
    }),
    RequestPasswordReset: ofUser(models, ({ email }, drawing) => {
      return { type: 'RequestPasswordReset', email: drawing.prng.chance(0.1) ? 'ghost@x.example' : email, link: link(drawing, email) }
    }),
    ResetPassword: (drawing) => {
      return { type: 'ResetPassword', tokenHash: tokenOf(models, drawing, 'reset'), passwordHash: 'password 3', countKey: 'reset' }
    },
    RequestEmailConfirmation: ofUser(models, ({ id, email }, drawing) => ({
      type: 'RequestEmailConfirmation',
      userId: id,
      link: link(drawing, email),
    })),
    ConfirmEmail: (drawing) => ({ type: 'ConfirmEmail', tokenHash: tokenOf(models, drawing, 'confirmation') }),
  }) satisfies Partial<Record<CommandType, Draw>>

const memberDraws = (models: Models) =>
  ({
    ...accountOfMemberDraws(models),
    EnrolTotp: ofUser(models, ({ id }, drawing) => ({ type: 'EnrolTotp', userId: id, sealedSecret: drawing.name('sealed-') }), 'none'),
    EnableTotp: ofUser(
      models,
      ({ id, secret }, { prng }) => {
        const sealedSecret = prng.chance(0.95) ? secret : 'other'
        return { type: 'EnableTotp', userId: id, sealedSecret, step: 1 + prng.below(100), recovery: ['one', 'two', 'three'] }
      },
      'enrolled',
    ),
    ResetTotp: ofUser(
      models,
      ({ id, merchantId, email }, { prng }) => {
        const operatorReason = prng.chance(0.5) ? 'Téléphone perdu' : null
        return { type: 'ResetTotp', merchantId, userId: id, operatorReason, notice: { to: email, sealed: 'sealed:v1:mail' } }
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

function report({ prng }: Drawing) {
  const run = { product: prng.pick(['facture', 'don']), kind: 'lookup', test: false, ok: true, error: null, duration_ms: 15 } as const
  return { ...run, fetches: [{ method: 'GET', host: 'api.example', status: 200, duration_ms: 3 }], logs: ['é\n'] }
}

export const peopleDraws = (models: Models) =>
  ({
    ...memberDraws(models),
    CreateApiKey: (drawing) => {
      const { prng } = drawing
      const merchantId = prng.chance(0.03) ? 'ghost' : merchant(models, drawing)?.id
      if (merchantId === undefined) return null
      const key = { environment: environment(drawing), label: '', publicKey: drawing.name('pk_'), secretHash: 'ab'.repeat(32) }
      return {
        type: 'CreateApiKey',
        merchantId,
        ...key,
        scopes: [],
        sealedSecret: 'sealed:v1:key',
        by: prng.pick(['operator', 'dashboard']),
      }
    },
    RevokeApiKey: (drawing) => {
      const key = recent(drawing.prng, [...models.people.keys.values()])
      if (key === undefined) return null
      return {
        type: 'RevokeApiKey',
        merchantId: key.merchantId,
        keyId: drawing.prng.chance(0.1) ? 'ghost' : key.id,
        by: drawing.prng.pick(['operator', 'dashboard']),
      }
    },
    NoteKeyUses: ({ prng }) => ({
      type: 'NoteKeyUses',
      publicKeys: ['pk_ghost', ...[...models.people.keys.keys()].filter(() => prng.chance(0.5))],
    }),
    CreateOperator: (drawing) => {
      const old = recent(drawing.prng, [...models.people.operators.values()])
      const name = drawing.name('fatou')
      const email = old !== undefined && drawing.prng.chance(0.1) ? old.email : `${name}@service.example`
      const token = { tokenHash: drawing.name('hash-'), sealedToken: 'sealed:v1:token' }
      return { type: 'CreateOperator', name, email, role: 'finance', ...token, isDualControlled: drawing.prng.chance(0.4) }
    },
    ApproveOperator: ({ prng }) => ({ type: 'ApproveOperator', id: recent(prng, [...models.people.waitingOperators.keys()]) ?? 'ghost' }),
    RefuseOperator: ({ prng }) => {
      return { type: 'RefuseOperator', id: recent(prng, [...models.people.waitingOperators.keys()]) ?? 'ghost', reason: 'Non.' }
    },
    RevokeOperator: (drawing) => {
      return { type: 'RevokeOperator', id: recent(drawing.prng, [...models.people.operators.keys()]) ?? 'ghost' }
    },
    RecordCodeRun: (drawing) => {
      const account = merchantAccount(models, drawing)
      return account === undefined ? null : { type: 'RecordCodeRun', merchant: account, run: report(drawing) }
    },
    EndTrial: (drawing) => {
      const account = merchantAccount(models, drawing)
      if (account === undefined) return null
      return { type: 'EndTrial', merchant: account, run: drawing.prng.chance(0.5) ? report(drawing) : null, answer: '{"ok":true}' }
    },
  }) satisfies Partial<Record<CommandType, Draw>>
