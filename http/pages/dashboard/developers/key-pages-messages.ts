// Texts of key-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    paySingleBulkAndScheduled: 'Verser (versements simples, groupés et programmés)',
    editProductsBiller: 'Modifier les produits du facturier',
    copySecretNowItShown: html`<b>Copiez le secret maintenant : il n’est montré qu’une fois.</b> Gardez-le sur votre serveur.`,
    newKey: 'Votre nouvelle clé',
    copyKey: 'Copier la clé',
    newApiKey: 'Nouvelle clé API',
    testApiKeys: 'Clés API de test',
    productionApiKeys: 'Clés API de production',
    charge: (value: Fragment) => html`Encaisser${value}`,
    lastUse: 'Dernier usage',
    requestsWithKeyWillBe: 'Les requêtes avec cette clé seront refusées, tout de suite.',
    noKeysYet: 'Aucune clé pour le moment.',
    newKey2: 'Nouvelle clé',
    whatItMayDoBesides: 'Ce qu’elle peut faire, outre encaisser',
    createKey: 'Créer la clé',
    forListsWhereItUsed: 'Pour vos listes : où sert-elle ?',
    approveDisbursements: 'Approuver les versements groupés',
  },
  en: {
    paySingleBulkAndScheduled: 'Pay (single, bulk and scheduled payouts)',
    editProductsBiller: 'Edit the products of the biller',
    copySecretNowItShown: html`<b>Copy the secret now: it is shown once.</b> Keep it on your server.`,
    newKey: 'Your new key',
    copyKey: 'Copy the key',
    newApiKey: 'New API key',
    testApiKeys: 'Test API keys',
    productionApiKeys: 'Production API keys',
    charge: (value) => html`Charge${value}`,
    lastUse: 'Last use',
    requestsWithKeyWillBe: 'Requests with this key will be rejected at once.',
    noKeysYet: 'No keys yet.',
    newKey2: 'New key',
    whatItMayDoBesides: 'What it may do, besides charging',
    createKey: 'Create the key',
    forListsWhereItUsed: 'For your lists: where is it used?',
    approveDisbursements: 'Approve bulk payouts',
  },
})
