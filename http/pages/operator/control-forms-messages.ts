// Texts of control-forms.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    walletBlocked: 'Le portefeuille est bloqué.',
    walletUnblocked: 'Le portefeuille est débloqué.',
    merchantSuspended: 'Le marchand est suspendu.',
    merchantRestored: 'Le marchand est rétabli.',
    typeReason: 'Saisissez une raison.',
    twoStepVerificationOffE: 'La validation en deux étapes est désactivée. Un e-mail l’annonce.',
    notTokenNothingHasChanged: 'Ce n’est pas votre jeton. Rien n’a changé.',
    apiKeyRevoked: 'La clé API est révoquée.',
    blockWallet: 'Bloquer ce portefeuille',
    block: 'Bloquer',
    unblock: 'Débloquer',
    suspendMerchant: 'Suspendre ce marchand',
    token: 'Votre jeton',
    serverMerchantWillHaveNo: 'Le serveur du marchand n’aura plus accès avec cette clé.',
    revokeKey: (publicKey: string) => `Révoquer la clé ${publicKey}`,
    reason: (reason: Fragment) => html`Raison : <bdi>${reason}</bdi>`,
  },
  en: {
    walletBlocked: 'The wallet is blocked.',
    walletUnblocked: 'The wallet is unblocked.',
    merchantSuspended: 'The merchant is suspended.',
    merchantRestored: 'The merchant is restored.',
    typeReason: 'Type a reason.',
    twoStepVerificationOffE: 'Two-step verification is off. An e-mail announces it.',
    notTokenNothingHasChanged: 'This is not your token. Nothing has changed.',
    apiKeyRevoked: 'The API key is revoked.',
    blockWallet: 'Block this wallet',
    block: 'Block',
    unblock: 'Unblock',
    suspendMerchant: 'Suspend this merchant',
    token: 'Your token',
    serverMerchantWillHaveNo: 'The server of the merchant will have no access with this key.',
    revokeKey: (publicKey) => `Revoke key ${publicKey}`,
    reason: (reason) => html`Reason: <bdi>${reason}</bdi>`,
  },
})
