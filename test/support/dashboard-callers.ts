// Merchants who sign up by themselves, and the browsers that they are signed in with.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SignedIn } from '../../engine/contract/dashboard.ts'
import type { Answer, Client } from './client.ts'
import type { TestServer } from './server-fixture.ts'

export const PASSWORD = 'cauris au soleil de midi'

export interface Owner {
  readonly email: string
  readonly merchantId: string
  /** `name=value`, as a browser sends it. */
  readonly cookie: string
  /** The cookie that remembers the browser, as a browser sends it. */
  readonly device: string
  readonly csrfToken: string
  /** With cookie and CSRF token. */
  readonly browser: Client
}

export function newEmail(): string {
  return `${randomUUID()}@boutique.example`
}

export function cookieOf(answer: Pick<Answer, 'headers'>): string {
  return (answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
}

function deviceOf(answer: Pick<Answer, 'headers'>): string {
  return /device-[\w-]{12}=[^;]+/.exec(answer.headers['set-cookie'] ?? '')?.[0] ?? ''
}

/** `currency` absent: the default one. */
export async function signUp(server: TestServer, merchantName = 'Boutique', currency?: string): Promise<Owner> {
  const email = newEmail()
  const body = { merchant_name: merchantName, email, password: PASSWORD, ...(currency === undefined ? {} : { currency }) }
  const answer = await server.anybody.post<SignedIn>('/v1/dashboard/signup', body)
  assert.equal(answer.status, 201, answer.text)
  return ownerOf(server, answer, email)
}

export function ownerOf(server: TestServer, answer: Answer<SignedIn>, email: string): Owner {
  const cookie = cookieOf(answer)
  const csrfToken = answer.body.csrf_token
  return {
    email,
    merchantId: answer.body.merchant.id,
    cookie,
    device: deviceOf(answer),
    csrfToken,
    browser: server.anybody.with({ cookie, 'x-csrf-token': csrfToken }),
  }
}
