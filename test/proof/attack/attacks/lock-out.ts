// A stranger keeps a known e-mail address and phone locked, while their owner signs in from a remembered browser and device.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Client } from '../../../support/client.ts'
import { newEmail, PASSWORD, signUp as signUpOwner } from '../../../support/dashboard-callers.ts'
import { PIN, signUp, TEST_OTP } from '../../../support/wallet-callers.ts'
import type { Attack } from '../attack.ts'

const HOME = { 'x-forwarded-for': '41.82.7.9' }
const OWNER_PAUSE_MS = 500
/** Each try of an unknown address keeps a hashing thread busy for 97 ms: together about half of one core. */
const STRANGER_PAUSE_MS = 500

export const LOCK_OUT: Attack = {
  name: 'lock-out',
  title: 'Tries passwords, codes and PINs of an owner who signs in meanwhile.',
  prepare: async ({ server }) => {
    const home = server.anybody.with(HOME)
    const wallet = await signUp(home)
    const { email, device: cookie } = await signUpOwner(server)
    const login = (client: Client, address: string, password: string) => client.post('/v1/dashboard/login', { email: address, password })
    return async (signal) => {
      const figures = { locked: 0, tries: 0, signedIn: 0, lost: 0 }
      const count = ({ status }: Answer): void => {
        figures.tries++
        if (status === 423 || status === 429) figures.locked++
      }
      const repeat = async (work: () => Promise<void>): Promise<void> => {
        while (!signal.aborted) await work()
      }
      const tryPasswords = async (): Promise<void> => {
        count(await login(stranger(), email, 'tout autre chose'))
        count(await login(stranger(), newEmail(), 'tout autre chose'))
        await delay(STRANGER_PAUSE_MS)
      }
      const tryCodes = async (): Promise<void> => {
        count(await stranger().post('/v1/auth/phone/verify', { phone: wallet.phone, purpose: 'login', code: '999999' }))
      }
      // A test phone's code is public: what a thief of the SIM card can do.
      const tryPins = async (): Promise<void> => {
        const thief = stranger()
        const { phone } = wallet
        // A fast machine uses up what a network may start in an hour: then the thief is refused here, which locks nothing.
        const started = await thief.post<{ challenge_id: string }>('/v1/auth/phone/start', { phone, purpose: 'login' })
        if (started.status === 429) return
        assert.equal(started.status, 200, started.text)
        const code = { phone, purpose: 'login', challenge_id: started.body.challenge_id, code: TEST_OTP }
        const verified = await thief.post<{ login_token: string }>('/v1/auth/phone/verify', code)
        if (verified.status === 429) return
        assert.equal(verified.status, 200, verified.text)
        const device = { id: 'of a thief' }
        count(
          await thief.with({ authorization: `Bearer ${verified.body.login_token}` }).post('/v1/auth/pin/verify', { pin: '1357', device }),
        )
      }
      const ownerSignsIn = async (): Promise<void> => {
        const { phone, deviceId: device_id, deviceToken: device_token } = wallet
        await home.post('/v1/auth/phone/start', { phone, purpose: 'login' })
        const answers = [
          await home.post('/v1/auth/phone/verify', { phone, purpose: 'login', code: TEST_OTP }),
          await home.post('/v1/auth/refresh', { phone, pin: PIN, device_id, device_token }),
          await login(home.with({ cookie }), email, PASSWORD),
        ]
        for (const { status } of answers) {
          if (status === 200) figures.signedIn++
          else figures.lost++
        }
        await delay(OWNER_PAUSE_MS)
      }
      await Promise.all([tryPasswords, tryPasswords, tryPasswords, tryCodes, tryPins, ownerSignsIn].map(repeat))
      return figures
    }

    function stranger(): Client {
      return server.anybody.with({ 'x-forwarded-for': `203.0.${randomInt(256)}.${randomInt(256)}` })
    }
  },
  judge: ({ locked, signedIn, lost }) => [
    ...(locked === 0 || signedIn === 0 ? ['nothing was locked, or the owner did not sign in'] : []),
    ...(lost === 0 ? [] : [`${lost} sign-ins of the owner failed`]),
  ],
}
