// Callers who must not get in: by route, each with the rejections that its guards allow. Ownership is separate: `othersOf`
// returns callers of the right kind who do not own what the request names.
import { randomUUID } from 'node:crypto'
import { MEMBER_ROLES, type MemberRole } from '../../engine/contract/dashboard.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../../engine/contract/operator.ts'
import type { AuthRule, RouteShape } from '../../http/server/route.ts'
import { mayCall, operatorRolesOf } from '../../http/server/route-guards.ts'
import { openPayer } from './charge-callers.ts'
import type { Client } from './client.ts'
import { type Owner, signUp as openOwner } from './dashboard-callers.ts'
import { endedWallets } from './ended-wallets.ts'
import type { KeyedRequest, KeyedWorld } from './keyed-request.ts'
import { joined } from './member-callers.ts'
import { newOperator } from './operator-callers.ts'
import type { Merchant, TestServer } from './server-fixture.ts'
import { bearer, newTestPhone, ok, showCode, signUp } from './wallet-callers.ts'

export interface WrongCaller {
  readonly name: string
  readonly client: Client
  readonly status: number
  readonly code: string
}

interface KeysOf {
  readonly id: string
  readonly live: Client
  readonly revoked: Client
  readonly withoutScopes: Client
}

const TEST = { 'x-environment': 'test' }

export class WrongCallers {
  /** Signed in, with money. */
  readonly blockedWallet: Client
  readonly #server: TestServer
  readonly #other: Merchant
  readonly #suspended: Merchant
  readonly #owner: Owner
  readonly #members: ReadonlyMap<MemberRole, Client>
  readonly #wallets: Readonly<Record<string, Client>>
  readonly #otherWallet: Client
  readonly #operators: ReadonlyMap<OperatorRole, Client>
  readonly #endedOperator: Client
  readonly #endedSession: Client
  readonly #steps: Readonly<Record<'signup' | 'login', Client>>
  readonly #keys = new Map<string, KeysOf>()
  #networks = 0

  private constructor(parts: Parts) {
    this.blockedWallet = parts.blockedWallet
    this.#server = parts.server
    this.#other = parts.other
    this.#suspended = parts.suspended
    this.#owner = parts.owner
    this.#members = parts.members
    this.#wallets = parts.wallets
    this.#otherWallet = parts.otherWallet
    this.#operators = parts.operators
    this.#endedOperator = parts.endedOperator
    this.#endedSession = parts.endedSession
    this.#steps = parts.steps
  }

  static async open({ server, merchant }: KeyedWorld): Promise<WrongCallers> {
    const blocked = await openPayer(server, merchant, 10_000)
    await ok(server.operator.post(`/v1/operator/wallets/${blocked.tag}/block`, { reason: 'Vol', environment: 'test' }))
    const suspended = await server.fundedMerchant(1000)
    await ok(server.operator.post(`/v1/operator/merchants/${suspended.id}/suspend`, { reason: 'Plaintes' }))
    const owner = await openOwner(server, 'Une autre boutique')
    const operators = new Map<OperatorRole, Client>()
    for (const role of OPERATOR_ROLES) operators.set(role, (await newOperator(server, role)).client)
    // Not an administrator, whose end waits for a second person.
    const ended = await newOperator(server, 'support')
    await ok(server.operator.request('DELETE', `/v1/operator/operators/${ended.id}`))
    return new WrongCallers({
      ...{ server, suspended, owner, operators, endedOperator: ended.client, blockedWallet: blocked.app },
      other: await server.fundedMerchant(1000),
      members: await membersOf(server, owner),
      wallets: await endedWallets(server),
      otherWallet: (await openPayer(server, merchant, 0)).app,
      endedSession: await endedSession(server),
      steps: {
        signup: bearer(server.anybody, await showCode(server.anybody, newTestPhone(), 'signup')),
        login: bearer(server.anybody, await showCode(server.anybody, (await signUp(server.anybody)).phone, 'login')),
      },
    })
  }

  /** Callers whom the guards reject before anything is looked up. */
  async rejectedOn(route: RouteShape, { client }: KeyedRequest): Promise<readonly WrongCaller[]> {
    const named = (clients: Readonly<Record<string, Client>>, status = 401, code = 'unauthorized'): WrongCaller[] =>
      Object.entries(clients).map(([name, one]) => ({ name, client: one, status, code }))
    const without = { 'no credentials': this.#server.anybody }
    switch (route.auth) {
      case 'public':
        return []
      case 'key':
        return [...named(without), ...named(this.#strangers('key')), ...(await this.#keyRows(route, client))]
      case 'key-or-session':
        return [
          ...named(without),
          ...named(this.#strangers(route.auth)),
          ...(await this.#keyRows(route, client)),
          ...this.#sessionRows(route),
        ]
      case 'session':
        return [...named(without), ...named(this.#strangers('session')), ...this.#sessionRows(route)]
      case 'operator':
        return [...named(without), ...named(this.#strangers('operator')), ...this.#roleRows(route)]
      default:
        return [...(route.auth === 'stream' ? [] : named(without)), ...named(this.#strangers(route.auth))]
    }
  }

  /** Callers of the right kind who own nothing of what the request names. */
  async othersOf({ auth, path }: RouteShape, { client }: KeyedRequest): Promise<Readonly<Record<string, Client>>> {
    if (auth === 'wallet') return { 'another wallet': this.#otherWallet, 'a blocked wallet': this.blockedWallet }
    const session = { 'another merchant’s session': this.#owner.browser.with(TEST) }
    if (auth === 'session') return session
    const { live } = await this.#keysOf(client)
    return {
      ...{ 'another merchant’s key': this.#other.test, 'a suspended merchant’s key': this.#suspended.test },
      // A biller and its products are one for both environments.
      ...(path.startsWith('/v1/biz/biller') ? {} : { 'the merchant’s own live key': live }),
      ...(auth === 'key-or-session' ? session : {}),
    }
  }

  /** Credentials of another kind, and ended ones. */
  #strangers(rule: AuthRule): Readonly<Record<string, Client>> {
    const { anybody, operator } = this.#server
    const key = { 'an API key': this.#other.test }
    const session = { 'a session': this.#owner.browser }
    const wallet = { 'an access token': this.#otherWallet }
    const steps = { 'a sign-up token': this.#steps.signup, 'a login token': this.#steps.login }
    switch (rule) {
      case 'key':
      case 'key-or-session':
        return { 'the operator': operator, ...wallet, ...(rule === 'key' ? session : {}) }
      case 'session':
        return {
          'the operator': operator,
          ...wallet,
          ...key,
          'an ended session': this.#endedSession,
          'a wrong cookie': anybody.with({ cookie: `${this.#owner.cookie.slice(0, -4)}AAAA` }),
        }
      case 'operator':
        return this.#fromNetworks({
          ...key,
          ...session,
          ...wallet,
          'a wrong token': bearer(anybody, 'wrong'),
          'an ended operator': this.#endedOperator,
        })
      case 'signup':
        return {
          'the operator': operator,
          ...key,
          ...wallet,
          'a login token': this.#steps.login,
          'a wrong token': bearer(anybody, 'signup_x'),
        }
      case 'login':
        return {
          'the operator': operator,
          ...key,
          ...wallet,
          'a sign-up token': this.#steps.signup,
          'a wrong token': bearer(anybody, 'login_x'),
        }
      default:
        return { 'the operator': operator, ...steps, ...this.#wallets, ...(rule === 'stream' ? {} : { ...key, ...session }) }
    }
  }

  /** Wrong operator tokens are limited by network: each comes from one of its own. */
  #fromNetworks(clients: Readonly<Record<string, Client>>): Readonly<Record<string, Client>> {
    return Object.fromEntries(
      Object.entries(clients).map(([name, client]) => {
        const network = ++this.#networks
        return [name, client.from(`127.${64 + (network >> 8)}.${network & 255}.1`)]
      }),
    )
  }

  async #keyRows(route: RouteShape, client: Client): Promise<readonly WrongCaller[]> {
    const { live, revoked, withoutScopes } = await this.#keysOf(client)
    const unauthorized = { status: 401, code: 'unauthorized' }
    return [
      { name: 'a wrong secret', client: client.with({ 'x-api-secret': 'sk_test_wrong' }), ...unauthorized },
      { name: 'an unknown key', client: client.with({ 'x-api-key': 'pk_test_unknown' }), ...unauthorized },
      { name: 'a key without its secret', client: client.with({ 'x-api-secret': '' }), ...unauthorized },
      { name: 'a revoked key', client: revoked, ...unauthorized },
      ...(route.scope === undefined
        ? []
        : [{ name: 'a key without scopes', client: withoutScopes, status: 403, code: 'insufficient_scope' }]),
      ...(route.testOnly === true ? [{ name: 'a live key', client: live, status: 403, code: 'test_only' }] : []),
    ]
  }

  #sessionRows(route: RouteShape): readonly WrongCaller[] {
    const refused = MEMBER_ROLES.filter((role) => !mayCall(role, route))
    const lower = refused.map((role) => ({
      name: `a session of the role ${role}`,
      client: this.#members.get(role) ?? this.#server.anybody,
      ...{ status: 403, code: 'insufficient_role' },
    }))
    if (route.method === 'GET') return lower
    const { cookie } = this.#owner
    const forged = { status: 403, code: 'csrf_failed' }
    const { anybody } = this.#server
    return [
      ...lower,
      { name: 'a session without CSRF token', client: anybody.with({ cookie, ...TEST }), ...forged },
      { name: 'a session with a wrong CSRF token', client: anybody.with({ cookie, 'x-csrf-token': 'wrong', ...TEST }), ...forged },
    ]
  }

  #roleRows(route: RouteShape): readonly WrongCaller[] {
    const allowed = operatorRolesOf(route)
    return [...this.#operators]
      .filter(([role]) => !allowed.includes(role))
      .map(([role, client]) => ({ name: `an operator of the role ${role}`, client, status: 403, code: 'insufficient_role' }))
  }

  /** Other keys of the merchant whose key the client has. */
  async #keysOf(client: Client): Promise<KeysOf> {
    const { id } = await idOf(client)
    const known = this.#keys.get(id) ?? { id, ...(await this.#newKeys(id)) }
    this.#keys.set(id, known)
    return known
  }

  async #newKeys(id: string): Promise<Omit<KeysOf, 'id'>> {
    const scopes = ['disbursements.write', 'billers.write']
    const keys = `/v1/operator/merchants/${id}/api-keys`
    const { body } = await ok(this.#server.operator.post(keys, { environment: 'test', scopes }))
    const revoked = this.#server.anybody.with({ 'x-api-key': String(body.public_key), 'x-api-secret': String(body.secret_key) })
    await this.#server.operator.request('DELETE', `${keys}/${body.id}`)
    return {
      live: await this.#server.keyed(id, 'live', scopes),
      revoked,
      withoutScopes: await this.#server.keyed(id, 'test', []),
    }
  }
}

interface Parts {
  readonly blockedWallet: Client
  readonly server: TestServer
  readonly other: Merchant
  readonly suspended: Merchant
  readonly owner: Owner
  readonly members: ReadonlyMap<MemberRole, Client>
  readonly wallets: Readonly<Record<string, Client>>
  readonly otherWallet: Client
  readonly operators: ReadonlyMap<OperatorRole, Client>
  readonly endedOperator: Client
  readonly endedSession: Client
  readonly steps: Readonly<Record<'signup' | 'login', Client>>
}

async function idOf(client: Client): Promise<{ readonly id: string }> {
  const { body } = await ok(client.get<{ merchant_id: string }>('/v1/biz/ping'))
  return { id: body.merchant_id }
}

async function membersOf(server: TestServer, owner: Owner): Promise<ReadonlyMap<MemberRole, Client>> {
  const members = new Map<MemberRole, Client>([['owner', owner.browser.with(TEST)]])
  for (const role of ['viewer', 'cashier', 'manager'] as const) members.set(role, (await joined(server, owner, role)).browser.with(TEST))
  return members
}

async function endedSession(server: TestServer): Promise<Client> {
  const { browser } = await openOwner(server)
  await browser.request('POST', '/v1/dashboard/logout')
  return browser
}

/** An id of the same shape that leads to nothing. */
export function madeUp(id: string): string {
  if (/^[0-9a-f]{8}-/.test(id)) return `${id.slice(0, 14)}7${randomUUID().slice(15)}`
  return id.length > 20 ? id.slice(0, -12) + randomUUID().replaceAll('-', '').slice(0, 12) : `absent-${id}`.slice(0, 30)
}
