// Texts of start-routes.ts, in both languages.
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    cauriInDevelopment: 'Cauri, en développement',
    demoMerchantNpmStartPrints: 'Du marchand de démonstration : npm start affiche son adresse e-mail et son mot de passe.',
    walletCustomerPaySendSettle: 'Le portefeuille d’un client : payer, envoyer, régler une facture.',
    smsNotificationsEMailsAnd: 'Les SMS, notifications, e-mails et webhooks qui sont partis.',
    opensWithOperatorToken: 'S’ouvre avec OPERATOR_TOKEN.',
    quickstartGuidesAndApiReference: 'Premiers pas, guides et référence de l’API, en quatre langages.',
    apiDocument: 'Document de l’API',
    openAPI31SameAs: 'OpenAPI 3.1 ; le même en JSON à /openapi.json.',
    withOperatorTokenOperatorsDesk: 'Avec OPERATOR_TOKEN, le bureau de l’opérateur s’ouvre à /operator.',
  },
  en: {
    cauriInDevelopment: 'Cauri, in development',
    demoMerchantNpmStartPrints: 'Of the demo merchant: npm start prints its e-mail address and password.',
    walletCustomerPaySendSettle: 'The wallet of a customer: pay, send, settle a bill.',
    smsNotificationsEMailsAnd: 'The SMS, notifications, e-mails and webhooks that were sent.',
    opensWithOperatorToken: 'Opens with OPERATOR_TOKEN.',
    quickstartGuidesAndApiReference: 'Quickstart, guides and API reference, in four languages.',
    apiDocument: 'API document',
    openAPI31SameAs: 'OpenAPI 3.1; the same as JSON at /openapi.json.',
    withOperatorTokenOperatorsDesk: 'With OPERATOR_TOKEN the operator’s desk opens at /operator.',
  },
})
