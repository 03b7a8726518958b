// Bearer tokens of wallets that must not open anything: ended, expired, changed, of another kind.
import { AccessTokens } from '../../http/auth/wallet/access-tokens.ts'
import { TokenKeys } from '../../http/auth/wallet/token-keys.ts'
import { Seal } from '../../http/crypto/seal.ts'
import type { Client } from './client.ts'
import type { TestServer } from './server-fixture.ts'
import { MASTER_KEY } from './server-process.ts'
import { bearer, ok, type Person, signUp } from './wallet-callers.ts'

const DAY_MS = 86_400_000

/** Access tokens that are no longer good, or never were. */
export async function endedWallets(server: TestServer): Promise<Readonly<Record<string, Client>>> {
  const [left, removed, kept] = [await signUp(server.anybody), await signUp(server.anybody), await signUp(server.anybody)]
  await ok(left.client.request('POST', '/v1/me/logout'))
  const { body } = await ok(removed.client.get<{ data: readonly { readonly id: string }[] }>('/v1/me/devices'))
  await removed.client.request('DELETE', `/v1/me/devices/${body.data[0]?.id}`)
  return {
    'the token of a wallet that logged out': left.client,
    'the token of a removed device': removed.client,
    'an expired token': bearer(server.anybody, await expiredToken(server, kept)),
    'a token with another signature': bearer(server.anybody, `${kept.accessToken.slice(0, -8)}AAAAAAAA`),
    'a token without a signature': bearer(server.anybody, unsigned(kept.accessToken)),
    'a device token': bearer(server.anybody, kept.deviceToken),
  }
}

/** Signed by the key of the server itself, a day ago. */
function expiredToken({ process }: TestServer, { accessToken }: Person): Promise<string> {
  const seal = new Seal(Buffer.from(MASTER_KEY, 'base64'))
  const keys = new TokenKeys({ dataDir: process.dataDir, seal, now: Date.now })
  const { sub, sid } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<'sub' | 'sid', string>
  return new AccessTokens(keys, () => Date.now() - DAY_MS).issue({ userId: sub, sessionId: sid })
}

function unsigned(token: string): string {
  const [, payload = ''] = token.split('.')
  return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`
}
