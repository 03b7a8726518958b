// The check of a password takes the same steps for an address with an account and for one without: time tells nothing.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { DeviceCookies } from '../../../../http/auth/dashboard/device-cookies.ts'
import { PasswordChecks, type PasswordVerdict } from '../../../../http/auth/dashboard/password-check.ts'
import { type ScryptQueue, ScryptThreads } from '../../../../http/crypto/scrypt-threads.ts'
import type { ScryptJob } from '../../../../http/crypto/scrypt-worker.ts'
import { SlowHash } from '../../../../http/crypto/slow-hash.ts'
import { MemoryEngine } from '../../../support/memory-engine.ts'

const KNOWN = 'awa@boutique.example'
const UNKNOWN = 'fatou@boutique.example'
const PASSWORD = 'cauris au soleil de midi'
const WRONG = 'cauris au clair de lune'

/** Threads that keep what they were asked to hash. */
class SeenThreads extends ScryptThreads {
  readonly jobs: (readonly [queue: ScryptQueue, log2Cost: number, secretBytes: number])[] = []
  /** Queue of each, and whose turn it takes there. */
  readonly turns: (readonly [queue: ScryptQueue, turnOf: string | undefined])[] = []

  override run(queue: ScryptQueue, job: ScryptJob, address?: string): Promise<Buffer | null> {
    this.jobs.push([queue, job.log2Cost, job.password.length])
    this.turns.push([queue, address])
    return super.run(queue, job, address)
  }
}

let threads: SeenThreads
let server: MemoryEngine
let checks: PasswordChecks

before(() => {
  threads = new SeenThreads(2)
})

after(() => threads.close())

beforeEach(async () => {
  server = await MemoryEngine.open()
  const { engine } = server
  const devices = new DeviceCookies({ key: Buffer.alloc(32, 1), now: () => engine.query('engine.time', null), isSecure: false })
  const keys = { peppers: [Buffer.alloc(32, 2)], countKey: Buffer.alloc(32, 3) } as const
  checks = new PasswordChecks({ engine, threads, devices, canWrite: () => true, ...keys })
  const passwordHash = await checks.hash(PASSWORD, { queue: 'dashboard', address: '' })
  const session = { tokenHash: 'a'.repeat(43), userAgent: '' }
  await server.do({ type: 'SignUpMerchant', merchantName: 'Boutique', email: KNOWN, passwordHash: String(passwordHash), session })
  threads.jobs.length = 0
  threads.turns.length = 0
})

afterEach(() => server.close())

const browser = { host: '', origin: '', cookie: '', fetchSite: '', userAgent: '', acceptLanguage: '' }

const check = (email: string, password: string, remoteAddress: string): Promise<PasswordVerdict> =>
  checks.verify({ remoteAddress, browser }, email, password)

describe('a password', () => {
  it('a wrong password for a known and for an unknown address costs the same hash, leaves as many records and gets the same answer', async () => {
    const seen: { readonly verdict: PasswordVerdict; readonly jobs: SeenThreads['jobs']; readonly records: number }[] = []
    for (const [email, address] of [
      [KNOWN, '192.0.2.1'],
      [UNKNOWN, '198.51.100.1'],
    ] as const) {
      const before = server.engine.lastSequence
      const verdict = await check(email, WRONG, address)
      seen.push({ verdict, jobs: threads.jobs.splice(0), records: server.engine.lastSequence - before })
    }
    assert.deepEqual(seen[1], seen[0])
    assert.deepEqual([seen[0]?.jobs.length, seen[0]?.records], [1, 1])
  })

  it('an address where the account signed in goes ahead of networks that guess, in the turn of its account', async () => {
    const [home, elsewhere] = ['192.0.2.1', '198.51.100.1']
    await check(KNOWN, WRONG, home)
    const right = await check(KNOWN, PASSWORD, home)
    assert.ok(right.isRight)
    for (const address of [home, elsewhere]) await check(KNOWN, WRONG, address)
    await check(UNKNOWN, WRONG, home)
    assert.deepEqual(threads.turns, [
      ['dashboard', home],
      ['dashboard', home],
      ['remembered', right.user.id],
      ['dashboard', elsewhere],
      ['dashboard', home],
    ])
  })

  it('a password with accents opens in NFC and in NFD, whichever of them it was set in', async () => {
    const accented = '19 mars 1962 à Évian'
    const forms = ['NFC', 'NFD'].map((form) => accented.normalize(form))
    const order = { queue: 'dashboard', address: '' } as const
    const older = new SlowHash([Buffer.alloc(32, 2)], threads)
    for (const [index, form] of forms.entries()) {
      // Of this release, and of those that hashed what was typed.
      const hashes = [await checks.hash(form, order), await older.hash(form, { ...order, log2Cost: 15 })]
      for (const [age, passwordHash] of hashes.entries()) {
        const email = `evian-${index}-${age}@boutique.example`
        const own = { tokenHash: `${index}${age}`.padEnd(43, 'b'), userAgent: '' }
        await server.do({ type: 'SignUpMerchant', merchantName: 'Boutique', email, passwordHash: String(passwordHash), session: own })
        for (const typed of forms) assert.equal((await check(email, typed, '192.0.2.1')).isRight, true, email)
        assert.equal((await check(email, `${form}.`, '192.0.2.1')).isRight, false)
      }
    }
  })

  it('a network that fills the queue of hashes has to wait by 429: the service is there for others', async () => {
    const full = new ScryptThreads(1, { live: 0, remembered: 0, dashboard: 0, test: 0 })
    try {
      const { engine } = server
      const devices = new DeviceCookies({ key: Buffer.alloc(32, 1), now: () => engine.query('engine.time', null), isSecure: false })
      const keys = { peppers: [Buffer.alloc(32, 2)], countKey: Buffer.alloc(32, 3) } as const
      const crowded = new PasswordChecks({ engine, threads: full, devices, canWrite: () => true, ...keys })
      const verdict = await crowded.verify({ remoteAddress: '192.0.2.1', browser }, KNOWN, PASSWORD)
      assert.ok(!verdict.isRight)
      assert.deepEqual([verdict.status, verdict.retryAfterS, JSON.parse(verdict.body).code], [429, 1, 'rate_limited'])
    } finally {
      await full.close()
    }
  })

  it('the password that the stand-in hash of unknown addresses was made of opens nothing', async () => {
    const verdict = await check(UNKNOWN, PASSWORD, '192.0.2.1')
    assert.equal(verdict.isRight, false)
    assert.equal((await check(KNOWN, PASSWORD, '192.0.2.1')).isRight, true)
  })
})
