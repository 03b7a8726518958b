// What a crash and a restart leave of sign-in: sessions go on, locks hold, limits count. And a Firebase project, over HTTP.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { newKey, TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { bearer, codeOfAnswer, Handsets, newLivePhone, newTestPhone, ok, PIN, signUp } from '../../../support/wallet-callers.ts'

it('a crash ends no session, forgets no lock and no limit, and leaves no secret on the disk', async () => {
  const handsets = await Handsets.open()
  const settings = { SMS_URL: handsets.url }
  const folder = mkdtempSync(join(tmpdir(), 'cauri-restart-'))
  try {
    const before = await TestServer.open({ dataDir: folder, settings })
    const awa = await signUp(before.anybody)
    const locked = await signUp(before.anybody)
    const kofi = await signUp(before.anybody, { phone: newLivePhone(), codeOf: handsets.codeOf, pin: '864209' })
    const half = newTestPhone()
    await ok(before.anybody.post('/v1/auth/phone/start', { phone: half, purpose: 'signup' }))
    for (let time = 0; time < 4; time++)
      await before.anybody.post('/v1/auth/phone/verify', { phone: half, code: '999999', purpose: 'signup' })
    for (let time = 0; time < 5; time++) {
      await locked.client.post('/v1/me/transfers', { recipient: awa.tag, amount: 1, pin: '1357' }, newKey())
    }
    for (let time = 0; time < 4; time++) await before.anybody.post('/v1/auth/phone/start', { phone: kofi.phone, purpose: 'login' })
    await before.process.kill()

    before.anybody.close()

    const after = await ownServer(settings, folder)
    for (const person of [awa, locked, kofi]) {
      const { body } = await ok(bearer(after.anybody, person.accessToken).get('/v1/me'))
      assert.equal(body.tag, person.tag)
    }
    const again = bearer(after.anybody, locked.accessToken)
    const refused = await again.post('/v1/me/transfers', { recipient: awa.tag, amount: 1, pin: PIN }, newKey())
    assert.equal(codeOfAnswer(refused), 'pin_locked')
    const wrong = await after.anybody.post('/v1/auth/phone/verify', { phone: half, code: '999999', purpose: 'signup' })
    assert.equal(codeOfAnswer(wrong), 'otp_attempts_exceeded')
    assert.equal(codeOfAnswer(await after.anybody.post('/v1/auth/phone/start', { phone: kofi.phone, purpose: 'login' })), 'rate_limited')
    const { phone, deviceId: device_id, deviceToken: device_token } = kofi
    await ok(after.anybody.post('/v1/auth/refresh', { phone, pin: '864209', device_id, device_token }))
    await after.close()

    const disk = wholeFolder(folder)
    assert.ok(disk.includes(kofi.tag), 'the folder was read')
    const secrets = [awa.accessToken, awa.deviceToken, kofi.deviceToken, '"864209"']
    for (const secret of secrets) assert.ok(!disk.includes(secret), `${secret.slice(0, 12)} is not on the disk`)
    const lines = [...before.process.lines, ...after.process.lines, before.process.errorOutput(), after.process.errorOutput()].join('\n')
    for (const secret of secrets) assert.ok(!lines.includes(secret), `${secret.slice(0, 12)} is not in the logs`)
  } finally {
    handsets.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('a Firebase project signs users up and in', async () => {
  const project = `project-${randomBytes(4).toString('hex')}`
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }
  const provider = createServer((_request, response) => void response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const issuer = `https://securetoken.google.com/${project}`
  const idToken = (phone_number: string, aud = project) =>
    new SignJWT({ phone_number })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(aud)
      .setSubject('firebase-user')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
  const keysUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/keys`
  // Development: the key server of a test is on the loopback.
  const server = await ownServer({ FIREBASE_PROJECT_ID: project, FIREBASE_JWKS_URL: keysUrl, OUTBOUND_ALLOW_PRIVATE: 'true' })
  try {
    const phone = newTestPhone()
    const exchange = async (id_token: string, purpose: string) => server.anybody.post('/v1/auth/firebase/exchange', { id_token, purpose })
    assert.equal(codeOfAnswer(await exchange(await idToken(phone), 'login')), 'wallet_not_found')
    const granted = await ok(exchange(await idToken(phone), 'signup'))
    assert.equal(granted.body.expires_in, 900)
    const signup = bearer(server.anybody, String(granted.body.signup_token))
    await ok(signup.post('/v1/auth/identity/set', { family_name: 'Ba', given_name: 'Moussa' }))
    await ok(signup.post('/v1/auth/tag/set', { tag: 'moussa_ba' }))
    await ok(signup.post('/v1/auth/pin/set', { pin: PIN, device: { id: 'one' } }))
    const login = await ok(exchange(await idToken(phone), 'login'))
    await ok(bearer(server.anybody, String(login.body.login_token)).post('/v1/auth/pin/verify', { pin: PIN, device: { id: 'one' } }))
    assert.equal(codeOfAnswer(await exchange(await idToken(phone), 'signup')), 'phone_taken')
    assert.equal(codeOfAnswer(await exchange(await idToken(phone, 'other'), 'login')), 'invalid_id_token')
    assert.equal(codeOfAnswer(await exchange(await idToken('0770000001'), 'login')), 'invalid_id_token')
  } finally {
    await server.close()
    provider.closeAllConnections()
    provider.close()
  }
})

/** Every byte of every file below the folder, as Latin-1 text. */
function wholeFolder(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}
