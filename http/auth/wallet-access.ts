// Everything that wallet sign-in needs beside the engine, put together in one place: keys, hashes, tokens, and the ways
// out to a phone.
import type { Engine } from '../../engine/actor/engine.ts'
import { IdSource } from '../../engine/kernel/ids.ts'
import { systemRandom } from '../clock.ts'
import { Gateway, type PostJson } from '../gateways/gateway.ts'
import type { Inbox } from '../gateways/inbox.ts'
import { PushNotices } from '../gateways/push.ts'
import { TextMessages } from '../gateways/sms.ts'
import type { Logger } from '../observe/logging.ts'
import type { Settings } from '../settings.ts'
import { AccessTokens } from './access-tokens.ts'
import { derivedKey } from './derived-key.ts'
import { type FetchJson, FirebaseTokens } from './firebase.ts'
import { OtpChallenges } from './otp-challenges.ts'
import { OtpCodes } from './otp-codes.ts'
import { PinChecks } from './pin-check.ts'
import { PinHasher } from './pin-hasher.ts'
import type { ScryptThreads } from './scrypt-threads.ts'
import type { Seal } from './seal.ts'
import { SignInLimits } from './sign-in-limits.ts'
import { TokenKeys } from './token-keys.ts'
import { WalletTokens } from './wallet-tokens.ts'

export interface WalletAccess {
  readonly otp: OtpChallenges
  readonly limits: SignInLimits
  readonly pinHasher: PinHasher
  readonly pinChecks: PinChecks
  readonly accessTokens: AccessTokens
  readonly tokens: WalletTokens
  /** Null without a project in the settings. */
  readonly firebase: FirebaseTokens | null
  readonly push: PushNotices
  /** Forgets what waits for a gateway. */
  close(): void
}

export interface WalletAccessParts {
  readonly engine: Engine
  /** False when the disk is nearly full. */
  readonly canWrite: () => boolean
  readonly masterKey: Uint8Array
  readonly seal: Seal
  readonly settings: Pick<Settings, 'mode' | 'dataDir' | 'smsUrl' | 'smsCountries' | 'smsPerMinute' | 'pushUrl' | 'firebase'>
  /** Null in production: what no gateway takes is gone. */
  readonly inbox: Inbox | null
  readonly logger: Pick<Logger, 'warn'>
  readonly threads: ScryptThreads
  readonly postJson: PostJson
  readonly fetchJson: FetchJson
}

/** Throws TokenKeysError when the data folder's token keys cannot be used. */
export function openWalletAccess(parts: WalletAccessParts): WalletAccess {
  const { engine, canWrite, masterKey, seal, settings, inbox, threads, fetchJson } = parts
  const now = (): number => engine.nowMs()
  const sms = openGateway(parts, settings.smsUrl)
  const push = openGateway(parts, settings.pushUrl)
  const accessTokens = new AccessTokens(new TokenKeys({ dataDir: settings.dataDir, seal, now }), now)
  const pinHasher = new PinHasher(derivedKey(masterKey, 'pin-pepper'), threads)
  const limits = new SignInLimits({ callingCodes: settings.smsCountries, perMinute: settings.smsPerMinute, now })
  return {
    limits,
    otp: new OtpChallenges({
      state: engine.state,
      now,
      codes: new OtpCodes(derivedKey(masterKey, 'otp')),
      addressKey: derivedKey(masterKey, 'sender-address'),
      ids: new IdSource(systemRandom.fill),
      limits,
      texts: new TextMessages(sms, inbox, now),
    }),
    pinHasher,
    pinChecks: new PinChecks(engine, pinHasher, canWrite),
    accessTokens,
    tokens: new WalletTokens(engine, accessTokens),
    firebase: settings.firebase === null ? null : new FirebaseTokens(settings.firebase, fetchJson, now),
    push: new PushNotices(engine.state, push, inbox),
    close: () => {
      sms?.close()
      push?.close()
    },
  }
}

function openGateway({ postJson, logger }: WalletAccessParts, url: string | null): Gateway | null {
  if (url === null) return null
  return new Gateway({
    url,
    postJson,
    onGiveUp: ({ id, channel }, reason) => logger.warn({ message_id: id, channel, reason }, 'a message did not leave'),
  })
}
