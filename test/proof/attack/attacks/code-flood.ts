// One IPv6 /48 asks for one-time codes from ever new addresses, while callers of other networks ask for one each.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../../support/client.ts'
import { newLivePhone } from '../../../support/wallet-callers.ts'
import type { Attack } from '../attack.ts'

const CONNECTIONS = 8
const HONEST_PAUSE_MS = 500
/** What one /48 gets in an hour, and what comes back while the attack runs. */
const SENDS_MAX = 210

export const CODE_FLOOD: Attack = {
  name: 'code-flood',
  title: 'Asks for one-time codes from 65 536 addresses of one IPv6 /48.',
  prepare: ({ server }) =>
    Promise.resolve(async (signal) => {
      const figures = { sent: 0, refused: 0, other: 0, honest: 0, honestLost: 0 }
      const start = (client: Client, address: string, phone: string) =>
        client.with({ 'x-forwarded-for': address }).post('/v1/auth/phone/start', { phone, purpose: 'signup' })
      const attack = async (): Promise<void> => {
        while (!signal.aborted) {
          const { status } = await start(server.anybody, `2001:db8:7:${randomInt(65_536).toString(16)}::1`, newLivePhone())
          if (status === 200) figures.sent++
          else if (status === 429) figures.refused++
          else figures.other++
        }
      }
      const signIn = async (): Promise<void> => {
        while (!signal.aborted) {
          const phone = newLivePhone()
          const address = `41.${randomInt(256)}.${randomInt(256)}.9`
          const { body } = await start(server.anybody, address, phone)
          const shown = { phone, purpose: 'signup', challenge_id: body.challenge_id, code: '000000' }
          const answer = await server.anybody.with({ 'x-forwarded-for': address }).post('/v1/auth/phone/verify', shown)
          // The challenge stands: a code that is guessed is wrong, or by chance right.
          if (answer.status === 200 || answer.body.code === 'otp_incorrect') figures.honest++
          else figures.honestLost++
          await delay(HONEST_PAUSE_MS)
        }
      }
      await Promise.all([signIn(), ...Array.from({ length: CONNECTIONS }, attack)])
      return figures
    }),
  judge: ({ sent, refused, other, honest, honestLost }) => [
    ...(Number(sent) > SENDS_MAX ? [`${sent} codes were sent to one /48`] : []),
    ...(refused === 0 || honest === 0 ? ['the flood was not refused, or no other caller asked'] : []),
    ...(other === 0 && honestLost === 0 ? [] : [`${other} answers were neither 200 nor 429, ${honestLost} sign-ins of others failed`]),
  ],
}
