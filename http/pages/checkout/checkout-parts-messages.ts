// Texts of checkout-parts.ts, in both languages.
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    cauriIdentifier: 'Votre identifiant Cauri',
    tagOrNumberWithIts: 'Votre @tag, ou votre numéro avec l’indicatif : +225 07…',
    pinWallet: 'Code PIN de votre portefeuille',
    typeTagOrNumberWith: 'Saisissez votre @tag, ou votre numéro avec l’indicatif du pays, par exemple +225 07 00 00 00 00.',
    type6DigitsReceivedBy: 'Saisissez les 6 chiffres reçus par SMS.',
    typePin46Digits: 'Saisissez votre code PIN, de 4 à 6 chiffres.',
    haveLeft: (message: string, attemptsLeft: number, value: string) => `${message} Il vous reste ${attemptsLeft} ${value}.`,
    attempt: 'essai',
    attempts: 'essais',
    shortAddMoneyWalletThen: (message: string, missing: string) =>
      `${message} Il vous manque ${missing} : approvisionnez votre portefeuille, puis payez.`,
    pinLockedAfterSeveralErrors: (value: number) => `Le code PIN est bloqué après plusieurs erreurs. Réessayez dans ${value} min.`,
  },
  en: {
    cauriIdentifier: 'Your Cauri identifier',
    tagOrNumberWithIts: 'Your @tag, or your number with its country code: +225 07…',
    pinWallet: 'PIN of your wallet',
    typeTagOrNumberWith: 'Type your @tag, or your number with its country code, for example +225 07 00 00 00 00.',
    type6DigitsReceivedBy: 'Type the 6 digits that you received by SMS.',
    typePin46Digits: 'Type your PIN, 4 to 6 digits.',
    haveLeft: (message, attemptsLeft, value) => `${message} You have ${attemptsLeft} ${value} left.`,
    attempt: 'attempt',
    attempts: 'attempts',
    shortAddMoneyWalletThen: (message, missing) => `${message} You are ${missing} short: add money to your wallet, then pay.`,
    pinLockedAfterSeveralErrors: (value) => `The PIN is locked after several errors. Try again in ${value} min.`,
  },
})
