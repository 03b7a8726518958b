// What strangers write: the largest record of each command that needs no account, and the bytes a day that its named limits leave.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OTP_CHECKS_MAX } from '../../../engine/domain/auth/auth-limits.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { readSettings } from '../../../http/app/settings.ts'
import {
  SIGNUPS_PER_NETWORK,
  TEST_SIGNUPS_PER_MINUTE,
  TEST_STARTS_PER_MINUTE,
  USER_AGENT_LENGTH_MAX,
  WRONG_PASSWORDS_PER_NETWORK,
} from '../../../http/server/server-limits.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

const MIB = 1024 * 1024
const MINUTES_A_DAY = 1440
const HOURS_A_DAY = 24
const CHALLENGE = '01a0c450-0000-7000-8000-000000000001'
const PHONE = '+225000000004242'
const HASH = 'a'.repeat(128)
const EMAIL = `${'e'.repeat(64)}@${'d'.repeat(180)}.example`
const SESSION = { tokenHash: HASH, userAgent: 'u'.repeat(USER_AGENT_LENGTH_MAX) }
const COUNTED = [{ key: `phone:${PHONE}`, limit: { most: 5, withinMs: 600_000 } }]

/** A text of 160 characters, sealed. */
const MESSAGE = { to: PHONE, sealed: `sealed:v1:${'s'.repeat(270)}` }

const start = (environment: 'live' | 'test'): Command => ({
  ...{ type: 'StartOtp', challengeId: CHALLENGE, purpose: 'signup', environment, identifier: PHONE, subject: '', account: null },
  ...{
    codeHash: HASH,
    counted: COUNTED,
    origin: { address: HASH, network: HASH },
    ...(environment === 'live' ? { message: MESSAGE } : {}),
  },
})
const verify = (codeHash: string): Command => ({
  ...{ type: 'VerifyOtp', challengeId: CHALLENGE, purpose: 'signup', identifier: PHONE, subject: '', codeHash, tokenHash: HASH },
})
const signUp: Command = { type: 'SignUpMerchant', merchantName: '€'.repeat(120), email: EMAIL, passwordHash: HASH, session: SESSION }

function smsPerMinute(): number {
  const settings = readSettings({})
  assert.ok('smsPerMinute' in settings)
  return settings.smsPerMinute
}

interface Row {
  readonly name: string
  readonly before?: readonly Command[]
  readonly command: Command
  readonly recordBytesMax: number
  /** Where the limit is one of networks: of all addresses of an IPv4 /16. */
  readonly timesADay: number
  readonly mibADay: number
}

const ROWS: readonly Row[] = [
  {
    name: 'codes for live phones, all networks together',
    command: start('live'),
    recordBytesMax: 1536,
    timesADay: smsPerMinute() * MINUTES_A_DAY,
    mibADay: 620,
  },
  {
    name: 'codes for test phones, all networks together',
    command: start('test'),
    recordBytesMax: 1024,
    timesADay: TEST_STARTS_PER_MINUTE * MINUTES_A_DAY,
    mibADay: 1700,
  },
  {
    name: 'wrong codes of live phones, all networks together',
    before: [start('live')],
    command: verify('wrong'),
    recordBytesMax: 512,
    timesADay: smsPerMinute() * MINUTES_A_DAY * OTP_CHECKS_MAX,
    mibADay: 1100,
  },
  {
    name: 'merchants that sign up from one IPv4 /16',
    command: signUp,
    recordBytesMax: 3072,
    timesADay: SIGNUPS_PER_NETWORK.ipv4[2] * HOURS_A_DAY,
    mibADay: 450,
  },
  {
    name: 'wrong passwords from one IPv4 /16',
    command: { type: 'CountWrongPassword', countKey: HASH },
    recordBytesMax: 512,
    timesADay: WRONG_PASSWORDS_PER_NETWORK.ipv4[2] * HOURS_A_DAY,
    mibADay: 50,
  },
  {
    name: 'names of test wallets that sign up, all networks together',
    before: [start('test'), verify(HASH)],
    command: { type: 'SetSignupIdentity', tokenHash: HASH, familyName: '€'.repeat(60), givenName: '€'.repeat(60) },
    recordBytesMax: 1024,
    timesADay: TEST_SIGNUPS_PER_MINUTE * MINUTES_A_DAY,
    mibADay: 90,
  },
]

describe('what strangers write in a day', () => {
  for (const { name, before = [], command, recordBytesMax, timesADay, mibADay } of ROWS) {
    it(`${name}: at most ${mibADay} MiB`, async () => {
      const fixture = await EngineFixture.open()
      for (const one of before) assert.equal(fixture.do(one).kind, 'ok')
      const bytes = fixture.engine.figures.flushedBytes
      fixture.do(command)
      const written = fixture.engine.figures.flushedBytes - bytes
      assert.ok(written > 0 && written <= recordBytesMax, `${written} bytes`)
      assert.ok((written * timesADay) / MIB <= mibADay, `${Math.ceil((written * timesADay) / MIB)} MiB a day`)
    })
  }
})
