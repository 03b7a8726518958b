// Callers with wallets, over real HTTP: they sign up and log in as an app does. Each has a phone of its own.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message } from '../../http/workers/gateways/message.ts'
import type { Answer, Client } from './client.ts'
import { newTag } from './server-fixture.ts'

export const TEST_OTP = '000000'
export const PIN = '7391'

export interface Person {
  readonly phone: string
  readonly tag: string
  readonly deviceId: string
  readonly deviceToken: string
  readonly accessToken: string
  /** With the access token. */
  readonly client: Client
}

export interface Session {
  readonly access_token: string
  readonly device_token: string
  readonly user: { readonly id: string; readonly tag: string }
}

/** What a challenge's code is taken from: test phones always have the same. */
export type CodeOf = (phone: string) => Promise<string>

export const testCode: CodeOf = () => Promise.resolve(TEST_OTP)

export function newTestPhone(): string {
  return `+22500${String(randomInt(1e8)).padStart(8, '0')}`
}

export function newLivePhone(): string {
  return `+22177${String(randomInt(1e7)).padStart(7, '0')}`
}

export function bearer(client: Client, token: string): Client {
  return client.with({ authorization: `Bearer ${token}` })
}

/** From the phone to the token of the next step. */
export async function showCode(client: Client, phone: string, purpose: 'signup' | 'login', codeOf: CodeOf = testCode): Promise<string> {
  const started = await client.post<{ challenge_id: string }>('/v1/auth/phone/start', { phone, purpose })
  assert.equal(started.status, 200, started.text)
  const { challenge_id } = started.body
  const body = { phone, purpose, challenge_id, code: await codeOf(phone) }
  const verified = await client.post<{ signup_token?: string; login_token?: string }>('/v1/auth/phone/verify', body)
  assert.equal(verified.status, 200, verified.text)
  return String(verified.body[`${purpose}_token`])
}

export interface SignUpOptions {
  readonly phone?: string
  readonly tag?: string
  readonly pin?: string
  readonly codeOf?: CodeOf
}

export async function signUp(client: Client, options: SignUpOptions = {}): Promise<Person> {
  const { phone = newTestPhone(), tag = newTag(), pin = PIN, codeOf = testCode } = options
  const signup = bearer(client, await showCode(client, phone, 'signup', codeOf))
  await ok(signup.post('/v1/auth/identity/set', { family_name: 'Diallo', given_name: 'Awa' }))
  await ok(signup.post('/v1/auth/tag/set', { tag: `@${tag}` }))
  const deviceId = `device-${randomUUID()}`
  const { body } = await ok(signup.post<Session>('/v1/auth/pin/set', { pin, device: { id: deviceId } }))
  return personOf(client, phone, deviceId, body)
}

export async function logIn(client: Client, phone: string, pin: string, deviceId = `device-${randomUUID()}`): Promise<Person> {
  const login = bearer(client, await showCode(client, phone, 'login'))
  const { body } = await ok(login.post<Session>('/v1/auth/pin/verify', { pin, device: { id: deviceId } }))
  return personOf(client, phone, deviceId, body)
}

export async function ok<Body>(answer: Promise<Answer<Body>>): Promise<Answer<Body>> {
  const { status, text } = await answer
  assert.ok(status === 200 || status === 201, `${status} ${text}`)
  return answer
}

export function codeOfAnswer(answer: Answer): string {
  return String(answer.body.code ?? answer.status)
}

function personOf(client: Client, phone: string, deviceId: string, session: Session): Person {
  const { access_token: accessToken, device_token: deviceToken, user } = session
  return { phone, tag: user.tag, deviceId, deviceToken, accessToken, client: bearer(client, accessToken) }
}

/** A gateway for text messages and pushes on the loopback: keeps what it gets. */
export class Handsets {
  readonly messages: Message[] = []
  readonly #waiting: (() => void)[] = []
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      this.messages.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message)
      response.writeHead(202).end()
      for (const look of this.#waiting.splice(0)) look()
    })
  })

  static async open(): Promise<Handsets> {
    const handsets = new Handsets()
    await new Promise<void>((resolve) => handsets.#server.listen(0, '127.0.0.1', resolve))
    return handsets
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/messages`
  }

  /** The code of the next message to the phone. */
  readonly codeOf: CodeOf = async (phone) => /\b\d{6}\b/.exec((await this.next(phone)).text)?.[0] ?? ''

  /** The oldest message to the phone that was not taken, once there is one. */
  async next(phone: string): Promise<Message> {
    for (;;) {
      const at = this.messages.findIndex((message) => message.phone === phone)
      const [found] = at < 0 ? [] : this.messages.splice(at, 1)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
