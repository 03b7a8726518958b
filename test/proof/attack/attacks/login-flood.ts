// Wrong passwords for unknown and known addresses, from many networks: each costs a slow hash. Owners sign in meanwhile.
import { randomInt } from 'node:crypto'
import { newEmail, signUp } from '../../../support/dashboard-callers.ts'
import type { Attack } from '../attack.ts'
import { Flood } from '../flood.ts'

const CONNECTIONS = 16

export const LOGIN_FLOOD: Attack = {
  name: 'login-flood',
  title: `Tries wrong passwords on ${CONNECTIONS} connections, from many networks.`,
  hasOwnServer: true,
  hasHonestLogins: true,
  prepare: async ({ baseUrl, server }) => {
    const { email: known } = await signUp(server)
    return async (signal) => {
      const flood = new Flood(baseUrl, signal)
      await flood.repeat(CONNECTIONS, () => ({
        method: 'POST',
        path: '/v1/dashboard/login',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.${randomInt(256)}.${randomInt(256)}` },
        body: JSON.stringify({ email: randomInt(10) === 0 ? known : newEmail(), password: 'tout autre chose' }),
      }))
      return flood.figures
    }
  },
  judge: ({ s401 }) => (Number(s401 ?? 0) > 0 ? [] : ['no password was tried']),
}
