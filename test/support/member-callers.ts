// Members of a merchant, the links that are mailed to them, and their second factors.
import assert from 'node:assert/strict'
import type { MemberRole, RecoveryCodes, SignedIn, TotpEnrolment } from '../../engine/contract/dashboard.ts'
import { totpCode } from '../../http/auth/dashboard/totp.ts'
import type { Client } from './client.ts'
import { newEmail, type Owner, ownerOf, PASSWORD } from './dashboard-callers.ts'
import { eventuallyAsync } from './eventually.ts'
import { askPage } from './raw-page.ts'
import type { TestServer } from './server-fixture.ts'

/** Returns the token of the newest link of a kind that the development inbox shows for the address. */
export async function mailedToken({ process }: TestServer, email: string, kind: 'invitation' | 'reset' | 'confirm'): Promise<string> {
  let token: string | undefined
  await eventuallyAsync(async () => {
    const { text } = await askPage(process.baseUrl, '/dev')
    const letters = text.split('<li id="m-').filter((letter) => letter.includes(`<bdi>${email}</bdi>`))
    token = letters.map((letter) => new RegExp(`\\?token=(${kind}_[\\w-]{43})`).exec(letter)?.[1]).find((found) => found !== undefined)
    return token !== undefined
  }, `a link of kind ${kind} is mailed to ${email}`)
  return token ?? ''
}

/** Returns the token of an approved operator, from the e-mail to its address. */
export async function mailedOperatorToken({ process }: Pick<TestServer, 'process'>, email: string): Promise<string> {
  let token: string | undefined
  await eventuallyAsync(async () => {
    const { text } = await askPage(process.baseUrl, '/dev')
    const letters = text.split('<li id="m-').filter((letter) => letter.includes(`<bdi>${email}</bdi>`))
    token = letters.map((letter) => /operator_[\w-]{43}/.exec(letter)?.[0]).find((found) => found !== undefined)
    return token !== undefined
  }, `the token of an operator is mailed to ${email}`)
  return token ?? ''
}

/** Number of letters to the address in the development inbox. */
export async function mailedCount({ process }: TestServer, email: string): Promise<number> {
  const { text } = await askPage(process.baseUrl, '/dev')
  return text.split('<li id="m-').filter((letter) => letter.includes(`<bdi>${email}</bdi>`)).length
}

export async function invitationFor(server: TestServer, owner: Owner, email: string, role: MemberRole): Promise<string> {
  const answer = await owner.browser.post('/v1/dashboard/members', { email, role })
  assert.equal(answer.status, 201, answer.text)
  return mailedToken(server, email, 'invitation')
}

/** Returns a member of the owner's merchant, signed in. */
export async function joined(server: TestServer, owner: Owner, role: MemberRole): Promise<Owner & { readonly id: string }> {
  const email = newEmail()
  const token = await invitationFor(server, owner, email, role)
  const answer = await server.anybody.post<SignedIn>('/v1/dashboard/members/accept', { token, password: PASSWORD })
  assert.equal(answer.status, 201, answer.text)
  return { ...ownerOf(server, answer, email), id: answer.body.user.id }
}

const STEP_MS = 30_000

/** Returns the code of the present step, or of one that is so many steps away. */
export function codeOf(secret: string, stepsAway = 0): string {
  return totpCode(secret, Math.floor(Date.now() / STEP_MS) + stepsAway)
}

/** Turns TOTP on. The present step is used by it. */
export async function enableTotp(browser: Client): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const enrolled = await browser.post<TotpEnrolment>('/v1/dashboard/totp/enroll', undefined)
  assert.equal(enrolled.status, 200, enrolled.text)
  const { secret } = enrolled.body
  const confirmed = await browser.post<RecoveryCodes>('/v1/dashboard/totp/confirm', { totp: codeOf(secret) })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { secret, recoveryCodes: confirmed.body.recovery_codes }
}
