// What requests about merchants and wallets must come to.
import type { Verdicts } from '../entry.ts'
import { type Environment, environmentOf } from '../models/accounts.ts'
import type { Models } from '../models.ts'

export const accountVerdicts = ({ accounts, activationFiles, signIn }: Models) => {
  const isTaken = (environment: Environment, tag: string, timeMs: number): boolean =>
    accounts.wallet(environment, tag) !== undefined || signIn.reserves(environment, tag, timeMs)
  const known = ({ merchantId }: { readonly merchantId: string }) => (accounts.merchant(merchantId) === undefined ? 'not_found' : null)
  const knownWallet = ({ environment, tag }: { readonly environment: Environment; readonly tag: string }) =>
    accounts.wallet(environment, tag) === undefined ? 'wallet_not_found' : null
  return {
    CreateMerchant: ({ currency }) => (currency === 'XOF' ? null : 'unsupported_currency'),
    CreateTestWallet: ({ tag }, { timeMs }) => (isTaken('test', tag, timeMs) ? 'tag_taken' : null),
    CreateWallet: ({ phone, tag }, { timeMs }) => {
      const environment = environmentOf(phone)
      if (accounts.payee(environment, phone) !== undefined) return 'phone_taken'
      return isTaken(environment, tag, timeMs) ? 'tag_taken' : null
    },
    BlockWallet: knownWallet,
    UnblockWallet: knownWallet,
    ShowPhone: knownWallet,
    AddNote: ({ target, environment }) => ('tag' in target ? knownWallet({ environment, tag: target.tag }) : known(target)),
    SuspendMerchant: known,
    ReinstateMerchant: known,
    RequestActivation: known,
    AddActivationFile: (command) => known(command) ?? (activationFiles.isFull(command.merchantId) ? 'too_many_files' : null),
    DeleteActivationFile: ({ merchantId, id }) => {
      if (!activationFiles.idsOf(merchantId).includes(id)) return 'not_found'
      return activationFiles.isKept(id) ? 'request_not_open' : null
    },
    ActivateMerchant: known,
    RefuseActivation: ({ merchantId }) => {
      const merchant = accounts.merchant(merchantId)
      if (merchant === undefined) return 'not_found'
      return merchant.activation === 'requested' ? null : 'request_not_open'
    },
    KeepAnswer: () => null,
  } satisfies Verdicts
}
