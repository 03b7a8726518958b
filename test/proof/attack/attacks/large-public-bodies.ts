// Bodies of many values on public routes: each must be refused before it is parsed.
import type { Attack } from '../attack.ts'

const STRANGER = { 'x-forwarded-for': '203.0.113.21', 'content-type': 'application/json' }
const PATHS = ['/v1/dashboard/login', '/v1/auth/phone/start', '/v1/dashboard/signup', '/dashboard/login'] as const
/** As it was tried: 70 000 keys in less than a MiB. */
const KEYS = 70_000
/** The most that a public route takes, all of it keys. */
const SMALL_BYTES = 16 * 1024

function keys(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`
}

export const LARGE_PUBLIC_BODIES: Attack = {
  name: 'large-public-bodies',
  title: 'Sends bodies of 70 000 keys, and of 16 KiB of keys, to public routes over four connections.',
  prepare: ({ baseUrl }) => {
    const large = keys(KEYS)
    const small = keys(1600).slice(0, SMALL_BYTES)
    return Promise.resolve(async (signal) => {
      const figures = { tooLarge: 0, refused: 0, broken: 0, other: 0 }
      const send = async (path: string, body: string): Promise<void> => {
        try {
          const answer = await fetch(baseUrl + path, { method: 'POST', headers: STRANGER, body, signal })
          await answer.arrayBuffer()
          if (answer.status === 413) figures.tooLarge++
          else if (answer.status >= 400 && answer.status < 500) figures.refused++
          else figures.other++
        } catch {
          // A refusal before the end of a body may close the connection under it.
          figures.broken++
        }
      }
      const connection = async (path: string): Promise<void> => {
        for (let turn = 0; !signal.aborted; turn++) await send(path, turn % 4 === 0 ? small : large)
      }
      await Promise.all(PATHS.map(connection))
      return figures
    })
  },
  judge: ({ tooLarge, refused, other }) => [
    ...(Number(tooLarge) + Number(refused) === 0 ? ['no body was refused'] : []),
    ...(other === 0 ? [] : [`${other} bodies were taken`]),
  ],
}
