// What requests of members of merchants must come to.
import assert from 'node:assert/strict'
import type { ErrorCode } from '../../../../engine/contract/errors.ts'
import type { SecondFactor } from '../../../../engine/domain/dashboard/totp-decide.ts'
import type { Decided } from '../decisions.ts'
import { firstCode, type Verdicts } from '../entry.ts'
import type { ModelUser } from '../models/members.ts'
import type { Models } from '../models.ts'

/** What the engine's limits are meant to be, written down a second time. */
const [MEMBERS, UNCONFIRMED_INVITATIONS] = [100, 3]

interface Checked {
  readonly userId: string
  readonly generation: number
  readonly countKey: string
}

function isRight({ lastStep, recovery }: ModelUser, factor: SecondFactor): boolean {
  if (factor.kind === 'wrong') return false
  return factor.kind === 'step' ? factor.step > lastStep : recovery.includes(factor.hash)
}

/** What stands on a password that was checked outside. */
const passwordVerdicts = ({ members: { users, passwords } }: Models) => {
  const wrong = (key: string, code: ErrorCode, { timeMs, isCounted }: Decided): ErrorCode => {
    assert.ok(isCounted, 'a wrong password or code leaves a record')
    return passwords.isLast(key, timeMs) ? 'rate_limited' : code
  }
  const checked = ({ userId, generation, countKey }: Checked, { timeMs }: Decided): ModelUser | ErrorCode => {
    const user = users.get(userId)
    if (passwords.isLocked(countKey, timeMs)) return 'rate_limited'
    return user?.generation === generation ? user : 'invalid_credentials'
  }
  const withFactor = (command: Checked & { readonly secondFactor: SecondFactor }, decided: Decided): ErrorCode | null => {
    const user = checked(command, decided)
    if (typeof user === 'string') return user
    if (user.totp !== 'active') return 'totp_not_enabled'
    return isRight(user, command.secondFactor) ? null : wrong(command.countKey, 'totp_incorrect', decided)
  }
  return {
    OpenDashboardSession: (command, decided) => {
      const user = checked(command, decided)
      if (typeof user === 'string') return user
      const { secondFactor = null } = command
      if (user.totp !== 'active') return null
      if (secondFactor === null) return 'totp_required'
      return isRight(user, secondFactor) ? null : wrong(command.countKey, 'totp_incorrect', decided)
    },
    CountWrongPassword: ({ countKey }, decided) =>
      passwords.isLocked(countKey, decided.timeMs) ? 'rate_limited' : wrong(countKey, 'invalid_credentials', decided),
    ChangePassword: (command, decided) => {
      const user = checked(command, decided)
      return typeof user === 'string' ? user : null
    },
    DisableTotp: withFactor,
    RenewRecoveryCodes: withFactor,
  } satisfies Verdicts
}

const linkVerdicts = ({ members }: Models) => {
  const { links, users } = members
  return {
    InviteMember: ({ userId, email }, { timeMs }) => {
      const owner = users.get(userId)
      if (owner === undefined) return 'not_found'
      const invited = links.invitationsOf(owner.merchantId, timeMs).filter((open) => open.email !== email).length
      return firstCode([
        [members.byEmail(email) !== undefined, 'email_taken'],
        [members.ofMerchant(owner.merchantId).length + invited >= MEMBERS, 'too_many_members'],
        [!owner.isConfirmed && invited >= UNCONFIRMED_INVITATIONS, 'email_not_confirmed'],
      ])
    },
    AcceptInvitation: ({ tokenHash }, { timeMs }) => {
      const link = links.working(tokenHash, 'invitation', timeMs)
      if (link === undefined) return 'invalid_token'
      return members.byEmail(link.email) === undefined ? null : 'email_taken'
    },
    RequestPasswordReset: () => null,
    ResetPassword: ({ tokenHash }, { timeMs }) => (links.working(tokenHash, 'reset', timeMs) === undefined ? 'invalid_token' : null),
    RequestEmailConfirmation: ({ userId }) => (users.has(userId) ? null : 'not_found'),
    ConfirmEmail: ({ tokenHash }, { timeMs }) => (links.working(tokenHash, 'confirmation', timeMs) === undefined ? 'invalid_token' : null),
  } satisfies Verdicts
}

const totpVerdicts = ({ members: { users } }: Models) =>
  ({
    EnrolTotp: ({ userId }) => {
      const user = users.get(userId)
      if (user === undefined) return 'not_found'
      return user.totp === 'active' ? 'totp_already_enabled' : null
    },
    EnableTotp: ({ userId, sealedSecret }) => {
      const user = users.get(userId)
      if (user?.totp === 'active') return 'totp_already_enabled'
      return user?.totp === 'enrolled' && user.secret === sealedSecret ? null : 'totp_not_enrolled'
    },
    ResetTotp: ({ merchantId, userId }) => {
      const user = users.get(userId)
      if (user?.merchantId !== merchantId) return 'not_found'
      return user.totp === 'active' ? null : 'totp_not_enabled'
    },
  }) satisfies Verdicts

export const memberVerdicts = (models: Models) => {
  const { members } = models
  return {
    ...passwordVerdicts(models),
    ...linkVerdicts(models),
    ...totpVerdicts(models),
    SignUpMerchant: ({ email }) => (members.byEmail(email) === undefined ? null : 'email_taken'),
    CloseDashboardSession: ({ userId, sessionId }) => {
      const isOpen = [...members.sessions.values()].some((session) => session.id === sessionId && session.userId === userId)
      return isOpen ? null : 'not_found'
    },
    RemoveMember: ({ merchantId, memberId }, { timeMs }) => {
      if (members.links.invitationsOf(merchantId, timeMs).some(({ id }) => id === memberId)) return null
      const user = members.users.get(memberId)
      if (user?.merchantId !== merchantId) return 'not_found'
      const owners = members.ofMerchant(merchantId).filter(({ role }) => role === 'owner')
      return user.role === 'owner' && owners.length === 1 ? 'last_owner' : null
    },
  } satisfies Verdicts
}
