// Builds wallet sign-in: keys, hashes and tokens.

import type { EngineApi, Random } from '../../../engine/api.ts'
import { IdSource } from '../../../engine/kernel/ids.ts'
import { derivedKey, derivedKeys } from '../../crypto/derived-key.ts'
import type { ScryptThreads } from '../../crypto/scrypt-threads.ts'
import type { RootKeys, Seal } from '../../crypto/seal.ts'
import type { FetchJson } from '../../workers/gateways/json-calls.ts'
import { AccessTokens } from './access-tokens.ts'
import { type FirebaseSetting, FirebaseTokens } from './firebase.ts'
import { OtpChallenges } from './otp-challenges.ts'
import { OtpCodes } from './otp-codes.ts'
import { PinChecks } from './pin-check.ts'
import { PinHasher } from './pin-hasher.ts'
import { SignInLimits } from './sign-in-limits.ts'
import { DerivedTokenKeys, type SigningKeys, TokenKeys } from './token-keys.ts'
import { WalletTokens } from './wallet-tokens.ts'

export interface WalletAccess {
  readonly otp: OtpChallenges
  readonly limits: SignInLimits
  readonly pinHasher: PinHasher
  readonly pinChecks: PinChecks
  readonly accessTokens: AccessTokens
  readonly tokens: WalletTokens
  /** Null without a Firebase project in the settings. */
  readonly firebase: FirebaseTokens | null
}

/** The settings of the same names. */
export interface WalletAccessSettings {
  readonly dataDir: string
  /** A node of a cluster signs with keys that all nodes share. */
  readonly wal: { readonly kind: 'lmdb' | 'postgres' }
  readonly smsCountries: readonly string[]
  readonly smsPerMinute: number
  readonly firebase: FirebaseSetting | null
}

export interface WalletAccessParts {
  readonly random: Random
  readonly engine: EngineApi
  /** False when the disk is nearly full. */
  readonly canWrite: () => boolean
  readonly rootKeys: RootKeys
  readonly seal: Seal
  readonly settings: WalletAccessSettings
  readonly threads: ScryptThreads
  readonly fetchJson: FetchJson
}

/** Opens wallet sign-in. Throws TokenKeysError when the data folder's token keys are unusable. */
export function openWalletAccess(parts: WalletAccessParts): WalletAccess {
  const { engine, canWrite, rootKeys, seal, settings, threads, fetchJson } = parts
  const now = (): number => engine.query('engine.time', null)
  const accessTokens = new AccessTokens(tokenKeysOf(parts), now)
  const pinHasher = new PinHasher(derivedKeys(rootKeys, 'pin-pepper'), threads)
  const limits = new SignInLimits({ callingCodes: settings.smsCountries, perMinute: settings.smsPerMinute, now })
  return {
    limits,
    otp: new OtpChallenges({
      engine,
      now,
      codes: new OtpCodes(derivedKey(rootKeys, 'otp')),
      addressKey: derivedKey(rootKeys, 'sender-address'),
      ids: new IdSource((target) => parts.random.fill(target)),
      limits,
      seal,
    }),
    pinHasher,
    pinChecks: new PinChecks(engine, pinHasher, canWrite),
    accessTokens,
    tokens: new WalletTokens(engine, accessTokens),
    firebase: settings.firebase === null ? null : new FirebaseTokens(settings.firebase, fetchJson, now),
  }
}

function tokenKeysOf({ engine, rootKeys, seal, settings }: WalletAccessParts): SigningKeys {
  const now = (): number => engine.query('engine.time', null)
  if (settings.wal.kind === 'postgres') return new DerivedTokenKeys(derivedKey(rootKeys, 'access-token'), now)
  return new TokenKeys({ dataDir: settings.dataDir, seal, now })
}
