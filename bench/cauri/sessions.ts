// Signed-in wallets: writes their devices to the log and makes access tokens like those of the server. It skips codes and PINs, which
// are not measured.
import { hash } from 'node:crypto'
import type { Envelope } from '../../engine/actor/envelope.ts'
import type { Command } from '../../engine/domain/command.ts'
import { AUDIT_ACCOUNT } from '../../engine/domain/operator/operator-decide.ts'
import { AccessTokens, type SessionClaims } from '../../http/auth/wallet/access-tokens.ts'
import { TokenKeys } from '../../http/auth/wallet/token-keys.ts'
import { Seal } from '../../http/crypto/seal.ts'
import { walletPhone } from './data-folder.ts'
import { OfflineEngine } from './offline-engine.ts'

export interface Sessions {
  /** Data folder with wallets that no process has open. */
  readonly dataDir: string
  readonly masterKey: Uint8Array
  readonly count: number
}

/** Returns an access token of each of the first wallets. */
export async function openSessions({ dataDir, masterKey, count }: Sessions): Promise<string[]> {
  const claims = await OfflineEngine.using({ dataDir, snapshot: 'fresh' }, async (offline) => {
    await offline.runAll(logins(count))
    const { wallets, auth } = offline.engine.state
    return Array.from({ length: count }, (_, index): SessionClaims => {
      const wallet = wallets.byPhone(walletPhone(index))
      const [device] = wallet === undefined ? [] : auth.devicesOf(wallet.account)
      if (wallet === undefined || device === undefined) throw new Error(`the wallet ${index} is not signed in`)
      return { userId: wallet.id, sessionId: device.session_id }
    })
  })
  const keys = new TokenKeys({ dataDir, seal: new Seal(masterKey), now: Date.now })
  const tokens = new AccessTokens(keys, Date.now, 1)
  return Promise.all(claims.map((claim) => tokens.issue(claim)))
}

function* logins(count: number): Generator<Envelope> {
  for (let index = 0; index < count; index++) {
    const tokenHash = hash('sha256', `login of ${index}`, 'hex')
    const device = { id: `phone-${index}`, name: '', platform: 'android', tokenHash: hash('sha256', `device of ${index}`, 'hex') }
    const commands: readonly Command[] = [
      { type: 'GrantSignIn', purpose: 'login', phone: walletPhone(index), tokenHash },
      { type: 'CompleteLogin', tokenHash, device },
    ]
    // One mailbox, so that the commands run in order.
    for (const command of commands) yield { command, mailbox: AUDIT_ACCOUNT, idempotency: null }
  }
}
