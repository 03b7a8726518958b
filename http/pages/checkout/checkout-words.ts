// Words that several pages of the checkout share, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const CHECKOUT_WORDS = texts({
  fr: {
    cauriWillNeverAskFor: 'Cauri ne vous demandera jamais votre code PIN par téléphone ou par message.',
    getMyCodeBySms: 'Recevoir mon code par SMS',
    changeIdentifierOrAskFor: 'Changer d’identifiant ou demander un nouveau code',
    return: (merchantName: Fragment) => html`Retourner chez <bdi>${merchantName}</bdi>`,
    willBeRedirectedThereIn: 'Vous y serez redirigé dans quelques secondes.',
  },
  en: {
    cauriWillNeverAskFor: 'Cauri will never ask for your PIN by phone or message.',
    getMyCodeBySms: 'Get my code by SMS',
    changeIdentifierOrAskFor: 'Change the identifier or ask for a new code',
    return: (merchantName) => html`Return to <bdi>${merchantName}</bdi>`,
    willBeRedirectedThereIn: 'You will be redirected there in a few seconds.',
  },
})
