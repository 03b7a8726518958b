// Settings of a production server, as `cauri doctor` reads them from an env file: what makes a start fail, or money unsafe.
// The server checks all of its settings itself at its start.

interface SettingFinding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly text: string
}

type Variables = ReadonlyMap<string, string>

const MASTER_KEY_BYTES = 32
const OPERATOR_TOKEN_LENGTH_MIN = 32

/** What is wrong with a setting; null when it is right. */
const CHECKS: readonly ((variables: Variables) => (Omit<SettingFinding, 'check'> & { readonly name: string }) | null)[] = [
  (variables) => {
    const bytes = Buffer.from(variables.get('MASTER_KEY') ?? '', 'base64').length
    if (bytes === MASTER_KEY_BYTES) return null
    return { name: 'MASTER_KEY', state: 'failed', text: 'is 32 random bytes in base64: openssl rand -base64 32' }
  },
  (variables) => {
    if (variables.get('BASE_URL')?.startsWith('https://') === true) return null
    return { name: 'BASE_URL', state: 'failed', text: 'is the public https address' }
  },
  (variables) => {
    const token = variables.get('OPERATOR_TOKEN')
    if (token === undefined) return { name: 'OPERATOR_TOKEN', state: 'warning', text: 'is not set: there is no operator' }
    if (token.length >= OPERATOR_TOKEN_LENGTH_MIN) return null
    return { name: 'OPERATOR_TOKEN', state: 'failed', text: 'has at least 32 characters: openssl rand -hex 32' }
  },
  (variables) => {
    if (variables.get('OUTBOUND_ALLOW_PRIVATE') !== 'true') return null
    return { name: 'OUTBOUND_ALLOW_PRIVATE', state: 'failed', text: 'is for tests: merchants could call private addresses' }
  },
  (variables) => {
    if (variables.get('NODE_TLS_REJECT_UNAUTHORIZED') !== '0') return null
    return { name: 'NODE_TLS_REJECT_UNAUTHORIZED', state: 'failed', text: '0 accepts every certificate' }
  },
  (variables) => {
    if (variables.get('SMS_URL') !== undefined || variables.get('FIREBASE_PROJECT_ID') !== undefined) return null
    return { name: 'SMS_URL', state: 'warning', text: 'is not set: live wallets cannot sign up' }
  },
]

export function settingFindings(envFile: string): SettingFinding[] {
  const variables = readVariables(envFile)
  const wrong = CHECKS.flatMap((check) => check(variables) ?? [])
  if (wrong.length === 0) return [{ check: 'settings', state: 'ok', text: `${variables.size} variables` }]
  return wrong.map(({ name, state, text }) => ({ check: 'settings', state, text: `${name} ${text}` }))
}

/** `NAME=value` lines; comments and empty lines are left out, quotes around a value too. */
function readVariables(text: string): Variables {
  const variables = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && value !== undefined && value !== '') variables.set(name, value.replace(/^(["'])(.*)\1$/, '$2'))
  }
  return variables
}
