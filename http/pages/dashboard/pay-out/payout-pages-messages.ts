// Texts of payout-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    batch: 'Versement groupé (API)',
    failed: 'Échoué',
    recipientTagOrPhone: 'Destinataire (@tag ou téléphone)',
    typeTagRecipient320:
      'Saisissez le @tag du destinataire (de 3 à 20 lettres, chiffres ou tirets bas) ou son téléphone avec + et l’indicatif du pays.',
    payWallet: 'Verser à un portefeuille',
    phoneBeginsWithAndCountry: 'Un téléphone commence par + et l’indicatif du pays : +221 77 123 45 67.',
    noWalletHasTagOr: 'Aucun portefeuille n’a ce @tag ou ce téléphone dans cet environnement.',
    pay: (amount: Fragment) => html`Verser ${amount}`,
    confirmPayout: 'Confirmer le versement',
    availableBalanceNotEnoughPayout: 'Le solde disponible ne suffit pas : ce versement échouerait.',
    payout: (amount: Fragment) => html`Versement de ${amount}`,
    payAgain: 'Verser de nouveau',
  },
  en: {
    batch: 'Bulk payout (API)',
    failed: 'Failed',
    recipientTagOrPhone: 'Recipient (@tag or phone)',
    typeTagRecipient320:
      'Type the @tag of the recipient (3 to 20 letters, digits or underscores), or the phone with + and the country code.',
    payWallet: 'Pay a wallet',
    phoneBeginsWithAndCountry: 'A phone begins with + and the country code: +221 77 123 45 67.',
    noWalletHasTagOr: 'No wallet has this @tag or phone in this environment.',
    pay: (amount) => html`Pay ${amount}`,
    confirmPayout: 'Confirm the payout',
    availableBalanceNotEnoughPayout: 'The available balance is not enough: this payout would fail.',
    payout: (amount) => html`Payout of ${amount}`,
    payAgain: 'Pay again',
  },
})
