// The dashboard's sign-up, login and sessions, and the API keys that people make there.
import { ApiKey } from './api-key.ts'
import { environment, listOf, PAGE_QUERY, timestamp, uuid } from './common.ts'
import { Merchant } from './merchant.ts'
import { nullable, type Static, Type, text } from './schema.ts'

function email() {
  return Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Capitals make no difference.',
    examples: ['compta@boutique-awa.example'],
  })
}

/** Checked by rules that no schema says; bounded, because it is hashed. */
function password(description: string) {
  return Type.String({ maxLength: 128, description, examples: ['cauris au soleil de midi'] })
}

export const SignupBody = Type.Object(
  {
    merchant_name: text({ lines: 'one', minLength: 1, maxLength: 100, description: 'Shown to customers.', examples: ['Boutique Awa'] }),
    email: email(),
    password: password('At least 10 characters, none of those that everybody tries first.'),
  },
  { $id: 'SignupBody' },
)

export type SignupBody = Static<typeof SignupBody>

export const LoginBody = Type.Object({ email: email(), password: password('As it was chosen.') }, { $id: 'LoginBody' })

export type LoginBody = Static<typeof LoginBody>

export const ChangePasswordBody = Type.Object(
  { password: password('The one so far.'), new_password: password('The same rules as at sign-up.') },
  { $id: 'ChangePasswordBody' },
)

export type ChangePasswordBody = Static<typeof ChangePasswordBody>

export const DashboardUser = Type.Object(
  {
    id: uuid({ description: 'Id of the user.' }),
    email: Type.String({ description: 'Address that the user logs in with.', examples: ['compta@boutique-awa.example'] }),
    created_at: timestamp(),
  },
  { $id: 'DashboardUser', description: 'Who is logged in.' },
)

export type DashboardUser = Static<typeof DashboardUser>

export const DashboardSession = Type.Object(
  {
    id: uuid({ description: 'Id of the session, for ending it.' }),
    user_agent: Type.String({ description: 'What the browser called itself when it logged in.' }),
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
    environment: environment({ description: 'The one that X-Environment chose.' }),
    csrf_token: Type.String({ description: 'Goes into X-CSRF-Token. It belongs to the session and does not change.' }),
  },
  { $id: 'SignedIn' },
)

export type SignedIn = Static<typeof SignedIn>

export const ListApiKeysQuery = Type.Object({ ...PAGE_QUERY, environment: Type.Optional(environment({ description: 'Both without it.' })) })

export type ListApiKeysQuery = Static<typeof ListApiKeysQuery>

export const ListedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    last_used_at: nullable(timestamp(), { description: 'To the minute or so; null when it was never used.' }),
  },
  { $id: 'ListedApiKey' },
)

export type ListedApiKey = Static<typeof ListedApiKey>

export const ApiKeyList = listOf(ListedApiKey, 'ApiKeyList')

export const Deleted = Type.Object(
  { id: uuid({ description: 'Id of what was deleted.' }), deleted: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'Deleted' },
)
