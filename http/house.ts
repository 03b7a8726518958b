// What the handlers of routes stand on. They read it when they are called, never when the table is made: the table is
// there before the log is recovered.
import type { Engine } from '../engine/actor/engine.ts'
import type { Seal } from './auth/seal.ts'
import type { WalletAccess } from './auth/wallet-access.ts'

export interface House {
  readonly engine: Engine
  readonly seal: Seal
  /** Wallet sign-in, PINs, and the ways out to a phone. */
  readonly wallets: WalletAccess
  /** Of the package. */
  readonly version: string
  /** Where merchants reach the API, without a slash at the end. */
  readonly baseUrl: string
  /** False while the log is being recovered, when it stands still, and while the process stops. */
  isHealthy(): boolean
}
