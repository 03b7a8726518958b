// The e-mails of servers under kills: they begin in production, which has no inbox. One gateway for the process, over all restarts.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from '../../support/raw-client.ts'

const mails: string[] = []
let listening: Promise<number> | null = null

/** Keeps no process alive. */
async function listen(): Promise<number> {
  const server = createServer(async (request, response) => {
    mails.push(await text(request))
    response.end()
  })
  server.on('connection', (socket) => socket.unref())
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Settings by which a server sends its e-mails here. */
export async function mailboxSettings(): Promise<Readonly<Record<string, string>>> {
  listening ??= listen()
  return { EMAIL_URL: `http://127.0.0.1:${await listening}/`, GATEWAY_SECRET: 'g'.repeat(32) }
}

/** Returns the token of an approved operator, from the e-mail to its address. */
export async function tokenMailedTo(email: string): Promise<string> {
  const token = (): string | undefined => {
    const found = mails.filter((mail) => mail.includes(email)).map((mail) => /operator_[\w-]{43}/.exec(mail)?.[0])
    return found.find((one) => one !== undefined)
  }
  await eventually(() => token() !== undefined, `the token of an operator is mailed to ${email}`)
  return token() ?? ''
}
