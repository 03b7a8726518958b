// Texts of inbox-page.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    outgoingMessages: 'Courrier sortant',
    whatCauriSendsSmsNotifications: (keptMax: number) =>
      `Ce que Cauri envoie : SMS, notifications, e-mails et webhooks. Rien n’est gardé après l’arrêt du serveur ; au-delà de ${keptMax} messages, les plus anciens disparaissent.`,
    messagesNewestFirst: 'Messages, du plus récent au plus ancien',
    nothingYet: 'Rien encore',
    createPaymentWithCurlCommand: html`Créez un paiement avec la commande <code>curl</code> que <code>npm start</code> a affichée : la réponse contient un <code>checkout_url</code>.`,
    openSimulatedPhoneWithWallet: html`Ouvrez le <a href="dev/phone">téléphone simulé</a> avec le portefeuille <b>@awa_demo</b>, PIN 2580.`,
    pasteAddressPaymentThereAnd: 'Collez-y l’adresse du paiement et payez : la notification et le webhook arrivent ici.',
    to: (to: Fragment) => html`à <b><bdi>${to}</bdi></b>`,
    to2: (phone: Fragment) => html`à <b>${phone}</b>`,
    notification: 'Notification',
    from: (merchant: Fragment) => html`de <b><bdi>${merchant}</bdi></b>`,
    webhook: 'Webhook',
    to3: (url: Fragment) => html`vers <code>${url}</code>`,
    signedContent: 'Contenu signé',
    noEndpointReceivesEventCreate: 'Aucune adresse ne reçoit cet évènement : créez-en une par POST /v1/biz/webhook-endpoints.',
    noAnswer: (error: string) => `pas de réponse (${error})`,
    nextAttemptAt: (clock: Fragment) => html`, nouvel essai à ${clock}`,
    attemptMs: (attempt: Fragment, result: Fragment, durationMs: Fragment, next: Fragment, state: Fragment) =>
      html`Essai ${attempt} : ${result}, ${durationMs} ms${next}${state}`,
    givenUp: ', abandonné',
    unknownError: 'inconnu',
  },
  en: {
    outgoingMessages: 'Outgoing messages',
    whatCauriSendsSmsNotifications: (keptMax) =>
      `What Cauri sends: SMS, notifications, e-mails and webhooks. Nothing is kept after the server stops; beyond ${keptMax} messages the oldest are dropped.`,
    messagesNewestFirst: 'Messages, newest first',
    nothingYet: 'Nothing yet',
    createPaymentWithCurlCommand: html`Create a payment with the <code>curl</code> command that <code>npm start</code> printed: the answer contains a <code>checkout_url</code>.`,
    openSimulatedPhoneWithWallet: html`Open the <a href="dev/phone">simulated phone</a> with the wallet <b>@awa_demo</b>, PIN 2580.`,
    pasteAddressPaymentThereAnd: 'Paste the address of the payment there and pay: the notification and the webhook arrive here.',
    to: (to) => html`to <b><bdi>${to}</bdi></b>`,
    to2: (phone) => html`to <b>${phone}</b>`,
    notification: 'Notification',
    from: (merchant) => html`from <b><bdi>${merchant}</bdi></b>`,
    webhook: 'Webhook',
    to3: (url) => html`to <code>${url}</code>`,
    signedContent: 'Signed content',
    noEndpointReceivesEventCreate: 'No endpoint receives this event: create one by POST /v1/biz/webhook-endpoints.',
    noAnswer: (error) => `no answer (${error})`,
    nextAttemptAt: (clock) => html`, next attempt at ${clock}`,
    attemptMs: (attempt, result, durationMs, next, state) => html`Attempt ${attempt}: ${result}, ${durationMs} ms${next}${state}`,
    givenUp: ', given up',
    unknownError: 'unknown',
  },
})
