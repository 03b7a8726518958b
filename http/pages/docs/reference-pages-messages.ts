// Texts of reference-pages.ts, in both languages.
import { html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    eachRouteWithItsRequest: html`Chaque route avec sa requête, ses champs, sa réponse et ses erreurs. La référence est tirée du document <a href="../openapi.yaml">OpenAPI</a>.`,
    request: 'Requête',
    withoutAuthentication: 'Sans authentification.',
    apiKeyPair: 'Paire de clés API.',
    apiKeyPairOrSession: 'Paire de clés API, ou session du tableau de bord.',
    sessionDashboard: 'Session du tableau de bord.',
    operatorToken: 'Jeton d’opérateur.',
    accessTokenWallet: 'Jeton d’accès d’un portefeuille.',
    signUpToken: 'Jeton d’inscription.',
    loginToken: 'Jeton de connexion.',
    accessTokenWalletOrTicket: 'Jeton d’accès d’un portefeuille, ou ticket.',
    errors: 'Erreurs',
  },
  en: {
    eachRouteWithItsRequest: html`Each route with its request, fields, answer and errors. The reference is made from the <a href="../openapi.yaml">OpenAPI</a> document.`,
    request: 'Request',
    withoutAuthentication: 'Without authentication.',
    apiKeyPair: 'API key pair.',
    apiKeyPairOrSession: 'API key pair, or a session of the dashboard.',
    sessionDashboard: 'Session of the dashboard.',
    operatorToken: 'Operator token.',
    accessTokenWallet: 'Access token of a wallet.',
    signUpToken: 'Sign-up token.',
    loginToken: 'Login token.',
    accessTokenWalletOrTicket: 'Access token of a wallet, or a ticket.',
    errors: 'Errors',
  },
})
