// Changes of a second factor over HTTP that need the password: turning it on long after the login, and turning that of another member
// off. A replay of an Idempotency-Key needs it too.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RecoveryCodes, TotpEnrolment } from '../../../../engine/contract/dashboard.ts'
import { type Owner, PASSWORD, signUp } from '../../../support/dashboard-callers.ts'
import { codeOf, enableTotp, joined } from '../../../support/member-callers.ts'
import { newKey, TestServer } from '../../../support/server-fixture.ts'

const STEPS_LATER = 22
/** Eleven minutes, a whole number of time steps. */
const LATER_MS = STEPS_LATER * 30_000
/** Moves the clock of the server's process forward. */
const LATER = `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now.call(Date)+${LATER_MS}`
const WRONG = 'pas le bon mot'
const dataDir = mkdtempSync(join(tmpdir(), 'cauri-second-factor-'))

after(() => rmSync(dataDir, { recursive: true, force: true }))

/** The codes of an answer, for comparison. */
const codes = ({ status, body }: { readonly status: number; readonly body: object }): unknown[] => [
  status,
  (body as { code?: string }).code,
  (body as { param?: string }).param,
]

test('long after the login the password turns TOTP on, and a replay without it shows no recovery codes', async () => {
  const first = await TestServer.open({ dataDir })
  const owner = await signUp(first)
  const member = await joined(first, owner, 'viewer')
  await enableTotp(member.browser)
  const { secret } = (await owner.browser.post<TotpEnrolment>('/v1/dashboard/totp/enroll', undefined)).body
  await first.process.kill()
  first.anybody.close()

  const server = await TestServer.open({ dataDir, settings: { NODE_OPTIONS: LATER } })
  try {
    const browser = owner.browser.at(server.anybody)
    const key = newKey()
    const confirm = (body: object) =>
      browser.post<RecoveryCodes>('/v1/dashboard/totp/confirm', { totp: codeOf(secret, STEPS_LATER), ...body }, key)
    assert.deepEqual(codes(await confirm({})), [401, 'password_required', 'password'])
    assert.deepEqual(codes(await confirm({ password: WRONG })), [401, 'invalid_credentials', undefined])
    const confirmed = await confirm({ password: PASSWORD })
    assert.deepEqual([confirmed.status, confirmed.body.recovery_codes.length], [200, 10])
    const again = await confirm({ password: PASSWORD, totp: '000000' })
    assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [200, confirmed.text, 'true'])
    assert.deepEqual(codes(await confirm({})), [401, 'password_required', 'password'])
    assert.deepEqual(codes(await confirm({ password: WRONG })), [401, 'invalid_credentials', undefined])
    await resetNeedsPassword({ ...owner, browser }, member.id)
  } finally {
    await server.close()
  }
})

async function resetNeedsPassword({ browser }: Owner, memberId: string): Promise<void> {
  const key = newKey()
  const reset = (body: object) => browser.post(`/v1/dashboard/members/${memberId}/reset-totp`, body, key)
  assert.deepEqual(codes(await reset({})), [400, 'invalid_request', 'password'])
  assert.deepEqual(codes(await reset({ password: WRONG })), [401, 'invalid_credentials', undefined])
  assert.equal((await reset({ password: PASSWORD })).status, 200)
  assert.equal((await reset({ password: WRONG })).status, 401, 'a used key does not replace the password')
  const again = await reset({ password: PASSWORD })
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
}
