// Settings: defaults, every fault at once and by name, and no secret in what is said about it.

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, it } from 'node:test'
import { settingWarnings } from '../../../http/app/setting-warnings.ts'
import { readSettings, type Settings } from '../../../http/app/settings.ts'
import { defaultHttpThreads } from '../../../http/server/threads/thread-limits.ts'

const KEY_BYTES = Buffer.from('a master key of the tests, 32 B.')
const KEY = KEY_BYTES.toString('base64')
const TOKEN = 'operator-token-of-the-tests-0123456789'
/** What WAL=postgres needs. */
const NODE = {
  WAL: 'postgres',
  WAL_POSTGRES_URL: 'postgres://db/cauri',
  NODE_URL: 'http://10.0.0.1:8080',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  CLUSTER_SECRET: Buffer.alloc(32, 7).toString('base64'),
}
const PRODUCTION = { NODE_ENV: 'production', MASTER_KEY: KEY } as const

function settingsOf(variables: Readonly<Record<string, string>>): Settings {
  const settings = readSettings(variables)
  assert.ok('mode' in settings, JSON.stringify(settings))
  return settings
}

/** Names of the faulty variables, in the order in which they are reported. */
function faultsOf(variables: Readonly<Record<string, string>>): string[] {
  const settings = readSettings(variables)
  assert.ok(!('mode' in settings), 'something is wrong')
  return settings.map(({ variable }) => variable)
}

const INSTRUCTIONS = 'Écrivez la référence de paiement dans le motif du virement. Le service vous communique ses coordonnées bancaires.'

describe('settings', () => {
  it('says where money is sent by bank and by mobile money, and both where a merchant does not say how', () => {
    const bank = { TOP_UP_INSTRUCTIONS_BANK: 'IBAN SN08' }
    const wave = { TOP_UP_INSTRUCTIONS_MOBILE_MONEY: 'Wave\\n+221770000001' }
    const of = (variables: Record<string, string>) => settingsOf(variables).topUpInstructions
    assert.deepEqual(of({ ...bank, ...wave }), {
      any: 'IBAN SN08\nWave\n+221770000001',
      bank: 'IBAN SN08',
      mobile_money: 'Wave\n+221770000001',
    })
    assert.deepEqual(of(bank), { any: 'IBAN SN08', bank: 'IBAN SN08', mobile_money: 'IBAN SN08' })
    assert.deepEqual(of({ TOP_UP_INSTRUCTIONS: 'Appelez', ...wave }), {
      any: 'Appelez',
      bank: 'Appelez',
      mobile_money: 'Wave\n+221770000001',
    })
  })

  it('with nothing set it is a development server on the loopback', () => {
    assert.deepEqual(settingsOf({}), {
      mode: 'development',
      host: '127.0.0.1',
      port: 8080,
      dataDir: './data',
      baseUrl: null,
      walletBaseUrl: null,
      checkoutBase: null,
      operatorToken: null,
      secondPersonAbove: null,
      secondPersonAboveDay: null,
      currencies: ['XOF'],
      signup: 'open',
      limitsPreset: 'none',
      topUpInstructions: { any: INSTRUCTIONS, bank: INSTRUCTIONS, mobile_money: INSTRUCTIONS },
      metricsToken: null,
      masterKey: null,
      outboundAllowPrivate: false,
      proxyHops: 0,
      corsOrigins: [],
      smsUrl: null,
      smsCountries: ['+229', '+226', '+225', '+245', '+223', '+227', '+221', '+228'],
      smsPerMinute: 300,
      pushUrl: null,
      emailUrl: null,
      gatewaySecret: null,
      firebase: null,
      httpThreads: defaultHttpThreads(availableParallelism()),
      sandboxThreads: 8,
      rateLimits: { live: 2000, test: 200 },
      logBudgets: { live: 1024 * 1024 * 1024, test: 1024 * 1024 * 1024, unproven: 16_384 * 1024 * 1024 },
      logLevel: 'info',
      isNpmScript: false,
      wal: { kind: 'lmdb' },
    } satisfies Settings)
  })

  it('with everything set each setting is read', () => {
    const settings = settingsOf({
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: '/var/lib/cauri',
      BASE_URL: 'https://api.example.com/',
      WALLET_BASE_URL: 'https://wallet.example.com',
      CHECKOUT_BASE: 'https://pay.example.com',
      OPERATOR_TOKEN: TOKEN,
      OPERATOR_DUAL_CONTROL: '1000000',
      OPERATOR_DAY_CONTROL: '5000000',
      MASTER_KEY: KEY,
      SMS_URL: 'http://sms.internal/send',
      SMS_COUNTRIES: '+221, +33,+221',
      SMS_PER_MINUTE: '60',
      PUSH_URL: 'https://push.example.com',
      EMAIL_URL: 'https://mail.example.com/send',
      GATEWAY_SECRET: 'sixteen-or-more-characters',
      FIREBASE_PROJECT_ID: 'cauri',
      SANDBOX_THREADS: '16',
      RATE_LIMIT_LIVE: '0',
      RATE_LIMIT_TEST: '5',
      LOG_MB_PER_DAY_LIVE: '0',
      LOG_MB_PER_DAY_TEST: '3',
      LOG_MB_PER_DAY_UNPROVEN: '0',
      LOG_LEVEL: 'debug',
      WAL: 'postgres',
      WAL_POSTGRES_URL: 'postgres://cauri:secret@db/cauri',
      NODE_URL: 'http://10.0.0.1:8080',
      NODE_NAME: 'a',
      CLUSTER_SECRET: KEY,
      TAKEOVER_AFTER_MS: '5000',
      UV_THREADPOOL_SIZE: '8',
    })
    assert.equal(settings.mode, 'production')
    assert.equal(settings.baseUrl, 'https://api.example.com')
    assert.equal(settings.secondPersonAbove, 1_000_000)
    assert.equal(settings.secondPersonAboveDay, 5_000_000)
    assert.deepEqual(settings.masterKey, KEY_BYTES)
    assert.deepEqual([settings.smsCountries, settings.smsPerMinute], [['+221', '+33'], 60])
    assert.deepEqual(settings.rateLimits, { live: 0, test: 5 })
    assert.deepEqual(settings.logBudgets, { live: 0, test: 3 * 1024 * 1024, unproven: 0 })
    assert.deepEqual(settings.wal, {
      kind: 'postgres',
      hosts: [{ connectionString: 'postgres://cauri:secret@db/cauri', port: 5432 }],
      nodeUrl: 'http://10.0.0.1:8080',
      nodeName: 'a',
      clusterSecret: KEY_BYTES,
      takeoverAfterMs: 5000,
      allowsUnsafe: false,
    })
    assert.equal(settings.firebase?.issuer, 'https://securetoken.google.com/cauri')
    assert.match(settings.firebase?.jwksUrl ?? '', /^https:\/\/www\.googleapis\.com\//)
  })

  it('an empty variable is one that is not set', () => {
    assert.equal(settingsOf({ PORT: '', OPERATOR_TOKEN: ' ', NODE_ENV: '' }).operatorToken, null)
  })

  const rows: readonly (readonly [variables: Record<string, string>, faults: string[]])[] = [
    [{ NODE_ENV: 'staging' }, ['NODE_ENV']],
    [{ PORT: '65536' }, ['PORT']],
    [{ PORT: '80a' }, ['PORT']],
    [{ PORT: '-1' }, ['PORT']],
    [{ BASE_URL: 'ftp://example.com' }, ['BASE_URL']],
    [{ BASE_URL: 'api.example.com' }, ['BASE_URL']],
    [{ CHECKOUT_BASE: 'https://example.com?x=1' }, ['CHECKOUT_BASE']],
    [{ WALLET_BASE_URL: 'https://user@example.com' }, ['WALLET_BASE_URL']],
    [{ OPERATOR_TOKEN: 'with space' }, ['OPERATOR_TOKEN']],
    [{ OPERATOR_TOKEN: 'é' }, ['OPERATOR_TOKEN']],
    [{ MASTER_KEY: Buffer.alloc(31).toString('base64') }, ['MASTER_KEY']],
    [{ MASTER_KEY: 'not base64 at all' }, ['MASTER_KEY']],
    [{ NODE_ENV: 'production' }, ['MASTER_KEY']],
    [{ ...PRODUCTION, OUTBOUND_ALLOW_PRIVATE: 'true' }, ['OUTBOUND_ALLOW_PRIVATE']],
    [{ ...PRODUCTION, OPERATOR_TOKEN: 'x' }, ['OPERATOR_TOKEN']],
    [{ ...PRODUCTION, OPERATOR_TOKEN: TOKEN.slice(0, 31) }, ['OPERATOR_TOKEN']],
    [{ NODE_ENV: 'production', MASTER_KEY: Buffer.alloc(32).toString('base64') }, ['MASTER_KEY']],
    [{ NODE_ENV: 'production', MASTER_KEY: Buffer.alloc(32, 'k').toString('base64') }, ['MASTER_KEY']],
    [{ NODE_ENV: 'production', MASTER_KEY: Buffer.from('password'.repeat(4)).toString('base64') }, ['MASTER_KEY']],
    [{ ...PRODUCTION, HOST: '0.0.0.0' }, ['BASE_URL']],
    [{ ...PRODUCTION, HOST: '::' }, ['BASE_URL']],
    [{ ...PRODUCTION, HOST: '0.0.0.0', BASE_URL: 'api.example.com' }, ['BASE_URL']],
    [{ OUTBOUND_ALLOW_PRIVATE: 'yes' }, ['OUTBOUND_ALLOW_PRIVATE']],
    [{ ...PRODUCTION, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, ['NODE_TLS_REJECT_UNAUTHORIZED']],
    [{ FIREBASE_ISSUER: 'https://issuer' }, ['FIREBASE_PROJECT_ID']],
    [{ SANDBOX_THREADS: '0' }, ['SANDBOX_THREADS']],
    [{ RATE_LIMIT_LIVE: '1.5' }, ['RATE_LIMIT_LIVE']],
    [{ LOG_MB_PER_DAY_TEST: '-1' }, ['LOG_MB_PER_DAY_TEST']],
    [{ LOG_LEVEL: 'verbose' }, ['LOG_LEVEL']],
    [{ WAL: 'memory' }, ['WAL']],
    [{ WAL: 'postgres' }, ['WAL_POSTGRES_URL', 'NODE_URL', 'MASTER_KEY', 'CLUSTER_SECRET']],
    [{ ...NODE, WAL_POSTGRES_URL: 'mysql://db' }, ['WAL_POSTGRES_URL']],
    [{ ...NODE, CLUSTER_SECRET: 'c2hvcnQ=' }, ['CLUSTER_SECRET']],
    [{ ...NODE, NODE_NAME: 'a b' }, ['NODE_NAME']],
    [{ ...NODE, TAKEOVER_AFTER_MS: '500' }, ['TAKEOVER_AFTER_MS']],
    [{ UV_THREADPOOL_SIZE: '2' }, ['UV_THREADPOOL_SIZE']],
    [{ PORT: 'x', LOG_LEVEL: 'x', WAL: 'x', MASTER_KEY: 'x' }, ['PORT', 'MASTER_KEY', 'LOG_LEVEL', 'WAL']],
  ]
  for (const [variables, faults] of rows) {
    it(`${JSON.stringify(variables)}: ${faults.join(', ')}`, () => {
      assert.deepEqual(faultsOf(variables), faults)
    })
  }

  it('certificates are looked at in production, and need not be in development', () => {
    settingsOf({ ...PRODUCTION, NODE_TLS_REJECT_UNAUTHORIZED: '1' })
    settingsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  })

  it('in development a short operator token, a simple master key and every address are taken', () => {
    settingsOf({ HOST: '0.0.0.0', OPERATOR_TOKEN: 'x', MASTER_KEY: Buffer.alloc(32).toString('base64') })
  })

  it('a token of 32 characters is taken in production', () => {
    assert.equal(settingsOf({ ...PRODUCTION, OPERATOR_TOKEN: TOKEN.slice(0, 32) }).operatorToken, TOKEN.slice(0, 32))
  })

  it('a private target is fine in development', () => {
    assert.equal(settingsOf({ OUTBOUND_ALLOW_PRIVATE: 'true' }).outboundAllowPrivate, true)
  })

  it('what is said of a secret does not hold it', () => {
    const secrets = {
      MASTER_KEY: 'c2VjcmV0LW9mLW1pbmU=',
      OPERATOR_TOKEN: 'secret of mine',
      WAL: 'postgres',
      WAL_POSTGRES_URL: 'mysql://u:mine@db',
    }
    assert.doesNotMatch(JSON.stringify(readSettings(secrets)), /mine|c2Vjcm/)
  })
})

describe('warnings at the start', () => {
  const GATEWAYS = {
    SMS_URL: 'https://sms.example.com',
    PUSH_URL: 'https://push.example.com',
    EMAIL_URL: 'https://mail.example.com',
    PROXY_HOPS: '1',
  } as const
  const clusterOf = (url: string): Record<string, string> => ({
    ...{ ...PRODUCTION, ...GATEWAYS, BASE_URL: 'https://api.example.com', WAL: 'postgres', WAL_POSTGRES_URL: url },
    ...{ NODE_URL: 'http://node-1:8080', CLUSTER_SECRET: Buffer.alloc(32, 1).toString('base64') },
  })
  const rows: readonly (readonly [what: string, variables: Record<string, string>, warned: string[]])[] = [
    ['development has none', { HOST: '0.0.0.0' }, []],
    ['production on the loopback names its missing address', { ...PRODUCTION, ...GATEWAYS }, ['BASE_URL']],
    [
      'missing gateways are named',
      { ...PRODUCTION, BASE_URL: 'https://api.example.com', PROXY_HOPS: '2' },
      ['SMS_URL', 'PUSH_URL', 'EMAIL_URL'],
    ],
    ['so is a missing proxy', { ...PRODUCTION, ...GATEWAYS, BASE_URL: 'https://api.example.com', PROXY_HOPS: '0' }, ['PROXY_HOPS']],
    ['plain http is safe on this machine alone', { ...PRODUCTION, ...GATEWAYS, BASE_URL: 'http://localhost:8080' }, []],
    ['and on its other names', { ...PRODUCTION, ...GATEWAYS, BASE_URL: 'http://[::1]:8080', CHECKOUT_BASE: 'http://127.0.0.2' }, []],
    ['plain http elsewhere is not', { ...PRODUCTION, ...GATEWAYS, BASE_URL: 'http://api.example.com' }, ['BASE_URL']],
    [
      'for payment pages neither',
      { ...PRODUCTION, ...GATEWAYS, BASE_URL: 'https://api.example.com', CHECKOUT_BASE: 'http://10.0.0.1' },
      ['CHECKOUT_BASE'],
    ],
    ['PostgreSQL on another machine without TLS', clusterOf('postgres://u@pg:5432,localhost/cauri'), ['WAL_POSTGRES_URL']],
    ['PostgreSQL with any certificate', clusterOf('postgres://u@pg:5432/cauri?sslmode=no-verify'), ['WAL_POSTGRES_URL']],
    ['PostgreSQL with TLS is not', clusterOf('postgres://u@pg:5432,pg2/cauri?sslmode=verify-full&sslrootcert=/etc/ca.pem'), []],
    ['PostgreSQL on this machine is not', clusterOf('postgres://u@127.0.0.1:5432,localhost:5433/cauri'), []],
    ['a complete production server has none', { ...PRODUCTION, ...GATEWAYS, HOST: '0.0.0.0', BASE_URL: 'https://api.example.com' }, []],
  ]
  for (const [what, variables, warned] of rows) {
    it(what, () => {
      const warnings = settingWarnings(settingsOf(variables))
      assert.deepEqual(
        warnings.map(({ variable }) => variable),
        warned,
      )
      for (const { variable, text } of warnings) assert.match(text, new RegExp(`^${variable} is .+\\.$`))
    })
  }

  it('with the phone-auth provider sign-in goes on without text messages', () => {
    const [, sms] = settingWarnings(settingsOf({ ...PRODUCTION, FIREBASE_PROJECT_ID: 'cauri' }))
    assert.match(sms?.text ?? '', /sign in by FIREBASE_PROJECT_ID alone/)
  })
})

describe('defaults by the machine', () => {
  it('HTTP threads are for cores beyond two, four at most', () => {
    assert.deepEqual([1, 2, 3, 4, 6, 64].map(defaultHttpThreads), [0, 0, 1, 2, 4, 4])
  })
})
