// Sign-up, login and sessions of the dashboard, and the API keys that users create there.
import { ApiKey } from './api-key.ts'
import { environment, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { Merchant } from './merchant.ts'
import { nullable, type Static, Type, text } from './schema.ts'

/** From the least to the most. */
export const MEMBER_ROLES = ['viewer', 'cashier', 'manager', 'owner'] as const

export type MemberRole = (typeof MEMBER_ROLES)[number]

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
    merchant_name: text({ lines: 'one', minLength: 1, maxLength: 100, description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: email(),
    password: password('At least 10 characters. Common passwords are rejected.'),
  },
  { $id: 'SignupBody' },
)

export type SignupBody = Static<typeof SignupBody>

export const LoginBody = Type.Object({ email: email(), password: password('Password of the user.') }, { $id: 'LoginBody' })

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
