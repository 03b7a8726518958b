// Sign-up, login and sessions of the dashboard, and the API keys that users create there.
import { ApiKey } from './api-key.ts'
import { currency, environment, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { Merchant } from './merchant.ts'
import { choice, nameText, nullable, type Static, Type } from './schema.ts'

/** From the least to the most. */
export const MEMBER_ROLES = ['viewer', 'cashier', 'manager', 'owner'] as const

export type MemberRole = (typeof MEMBER_ROLES)[number]

function memberRole() {
  return choice(MEMBER_ROLES, {
    description:
      '`viewer` reads; `cashier` makes charges and links, and reads these and its till alone; `manager` reads, pays, refunds and plans; `owner` does everything.',
  })
}

function email() {
  return Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Case is ignored.',
    examples: ['compta@boutique-awa.example'],
  })
}

/** Schema of a password. The handler checks its strength. Its length is bounded because it is hashed. */
function password(description: string) {
  return Type.String({ maxLength: 128, description, examples: ['cauris au soleil de midi'] })
}

export const SignupBody = Type.Object(
  {
    merchant_name: nameText({ maxLength: 100, description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: email(),
    password: password('At least 10 characters. Common passwords are rejected.'),
    currency: Type.Optional(
      currency({
        description: 'ISO 4217: one that this deployment keeps. For good. Default: its first, XOF unless it is set otherwise.',
        'x-error': 'unsupported_currency',
      }),
    ),
  },
  { $id: 'SignupBody' },
)

export type SignupBody = Static<typeof SignupBody>

function totp(description: string) {
  return Type.String({ maxLength: 32, description, examples: ['492039'] })
}

export const LoginBody = Type.Object(
  {
    email: email(),
    password: password('Password of the user.'),
    totp: Type.Optional(totp('Code of the authenticator app, or a recovery code; required after `totp_required`.')),
  },
  { $id: 'LoginBody' },
)

export type LoginBody = Static<typeof LoginBody>

export const ChangePasswordBody = Type.Object(
  { password: password('Current password.'), new_password: password('The same rules as at sign-up.') },
  { $id: 'ChangePasswordBody' },
)

export type ChangePasswordBody = Static<typeof ChangePasswordBody>

export const DashboardUser = Type.Object(
  {
    id: uuid({ description: 'Id of the user.' }),
    email: Type.String({ description: 'Address that the user logs in with.', examples: ['compta@boutique-awa.example'] }),
    role: memberRole(),
    email_confirmed: Type.Boolean({ description: 'Whether a link that was sent to the address has been opened.' }),
    totp_enabled: Type.Boolean({ description: 'Whether a login needs a code of the authenticator app.' }),
    created_at: timestamp(),
  },
  { $id: 'DashboardUser', description: 'User of the session.' },
)

export type DashboardUser = Static<typeof DashboardUser>

export const DashboardSession = Type.Object(
  {
    id: uuid({ description: 'Id of the session, for ending it.' }),
    user_agent: Type.String({ description: 'User agent of the browser at login.' }),
    current: Type.Boolean({ description: 'Whether this request comes from it.' }),
    created_at: timestamp(),
    expires_at: timestamp({ description: 'When it ends by itself: RFC 3339, UTC.' }),
  },
  { $id: 'DashboardSession', description: 'A session of the dashboard.' },
)

export type DashboardSession = Static<typeof DashboardSession>

export const DashboardSessionList = listOf(DashboardSession, 'DashboardSessionList')

export const SignedIn = Type.Object(
  {
    merchant: Merchant,
    user: DashboardUser,
    session: DashboardSession,
    environment: environment({ description: 'Environment that X-Environment selects.' }),
    csrf_token: Type.String({ description: 'Value of the header X-CSRF-Token. It does not change during the session.' }),
  },
  { $id: 'SignedIn' },
)

export type SignedIn = Static<typeof SignedIn>

export const ListApiKeysQuery = Type.Object({ ...PAGE_QUERY, environment: Type.Optional(environment({ description: 'Default: both.' })) })

export type ListApiKeysQuery = Static<typeof ListApiKeysQuery>

export const ListedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    last_used_at: nullable(timestamp(), { description: 'Accurate to about a minute; null when it was never used.' }),
  },
  { $id: 'ListedApiKey' },
)

export type ListedApiKey = Static<typeof ListedApiKey>

export const ApiKeyList = listOf(ListedApiKey, 'ApiKeyList')

export const Deleted = Type.Object(
  { id: uuid({ description: 'Id of what was deleted.' }), deleted: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'Deleted' },
)

export const Member = Type.Object(
  {
    id: uuid({ description: 'Id of the user, or of the invitation while it is open.' }),
    email: Type.String({ description: 'Address, in lower case.', examples: ['caisse@boutique-awa.example'] }),
    role: memberRole(),
    state: choice(['active', 'invited'], { description: '`invited` until the invitation is accepted; after 7 days it is over.' }),
    created_at: timestamp(),
  },
  { $id: 'Member', description: 'A user of the merchant, or an open invitation.' },
)

export type Member = Static<typeof Member>

export const MemberList = listOf(Member, 'MemberList')

export const InviteMemberBody = Type.Object({ email: email(), role: memberRole() }, { $id: 'InviteMemberBody' })

export type InviteMemberBody = Static<typeof InviteMemberBody>

function linkToken() {
  return Type.String({
    maxLength: 128,
    description: '`token` of the link in the e-mail; used once.',
    examples: ['invitation_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'],
  })
}

export const AcceptInvitationBody = Type.Object(
  { token: linkToken(), password: password('The same rules as at sign-up.') },
  { $id: 'AcceptInvitationBody' },
)

export type AcceptInvitationBody = Static<typeof AcceptInvitationBody>

export const PasswordResetBody = Type.Object({ email: email() }, { $id: 'PasswordResetBody' })

export type PasswordResetBody = Static<typeof PasswordResetBody>

export const ResetPasswordBody = Type.Object(
  { token: linkToken(), password: password('The same rules as at sign-up.') },
  { $id: 'ResetPasswordBody' },
)

export type ResetPasswordBody = Static<typeof ResetPasswordBody>

export const ConfirmEmailBody = Type.Object({ token: linkToken() }, { $id: 'ConfirmEmailBody' })

export type ConfirmEmailBody = Static<typeof ConfirmEmailBody>

export const TotpEnrolment = Type.Object(
  {
    secret: Type.String({ description: 'For typing it into the app; base32.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    otpauth_url: Type.String({ description: 'Content of the QR code.' }),
    qr_svg: Type.String({ description: 'The QR code as SVG.' }),
  },
  { $id: 'TotpEnrolment' },
)

export type TotpEnrolment = Static<typeof TotpEnrolment>

export const ConfirmTotpBody = Type.Object(
  {
    totp: totp('Code of the authenticator app.'),
    password: Type.Optional(password('Password of the user. Required from ten minutes after the login on.')),
  },
  { $id: 'ConfirmTotpBody' },
)

export type ConfirmTotpBody = Static<typeof ConfirmTotpBody>

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ description: 'Opens one login in the place of a code.', examples: ['k3x7q-hm2ad'] }), {
      description: 'Returned only once: write them down.',
    }),
  },
  { $id: 'RecoveryCodes' },
)

export type RecoveryCodes = Static<typeof RecoveryCodes>

export const ResetTotpBody = Type.Object({ password: password('Your own password, not that of the member.') }, { $id: 'ResetTotpBody' })

export type ResetTotpBody = Static<typeof ResetTotpBody>

export const RenewRecoveryCodesBody = Type.Object(
  { password: password('Password of the user.'), totp: totp('Code of the authenticator app, or a recovery code.') },
  { $id: 'RenewRecoveryCodesBody' },
)

export type RenewRecoveryCodesBody = Static<typeof RenewRecoveryCodesBody>

export const DisableTotpBody = Type.Object(
  { password: password('Password of the user.'), totp: totp('Code of the authenticator app, or a recovery code.') },
  { $id: 'DisableTotpBody' },
)

export type DisableTotpBody = Static<typeof DisableTotpBody>
