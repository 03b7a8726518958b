// The search of the documents answers what readers type: questions, words of the field, codes, statuses and words with a slip. Each row
// is a search and the beginning of an address that must be among the first results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ErrorPages } from '../../../../http/pages/docs/error-pages.ts'
import { EventPages } from '../../../../http/pages/docs/event-pages.ts'
import { ReferencePages } from '../../../../http/pages/docs/reference-pages.ts'
import { DocsSearch } from '../../../../http/pages/docs/search.ts'
import { WrittenPages } from '../../../../http/pages/docs/written-pages.ts'
import { LANGUAGES, type Language } from '../../../../http/text/language.ts'
import { TABLE } from '../../../support/api-document.ts'

/** A reader looks at so many results. */
const FIRST = 5

const SEARCHES: Readonly<Record<Language, readonly (readonly [typed: string, address: string])[]>> = {
  en: [
    ['how do I test', 'test-mode'],
    ['fees', 'reconciliation#fees'],
    ['how much does a payout cost', 'reconciliation#fees'],
    ['commission', 'reconciliation#fees'],
    ['422', 'errors/idempotency_key_reused'],
    ['429', 'errors/rate_limited'],
    ['402', 'errors/insufficient_balance'],
    ['http 401', 'errors/unauthorized'],
    ['partial refund', 'checkout#refund'],
    ['refund a charge', 'checkout#refund'],
    ['refund', 'checkout#refund'],
    ['chargeback', 'checkout#refund'],
    ['insufficient_balance', 'errors/insufficient_balance'],
    ['insufficient balance', 'errors/insufficient_balance'],
    ['not enough money', 'errors/insufficient_balance'],
    ['idempotency key', 'idempotency'],
    ['duplicate payment', 'idempotency'],
    ['how to retry safely', 'idempotency'],
    ['request timed out, retry', 'idempotency'],
    ['verify webhook signature', 'webhooks#verify-the-signature'],
    ['hmac', 'webhooks#verify-the-signature'],
    ['webhook not received', 'webhooks'],
    ['list of events', 'events'],
    ['charge.succeeded', 'events/charge.succeeded'],
    ['bill.paid payload', 'events/bill.paid'],
    ['callback url', 'webhooks'],
    ['retry policy', 'idempotency'],
    ['send money to many people', 'disbursements'],
    ['payroll', 'payouts'],
    ['csv file columns', 'payouts'],
    ['bulk payout', 'payouts'],
    ['pay every month', 'payouts#pay-every-month'],
    ['schedule', 'reference/createSchedule'],
    ['check recipient', 'payouts#check-a-recipient'],
    ['createPayout', 'reference/createPayout'],
    ['POST /v1/biz/charges', 'reference/createCharge'],
    ['list charges', 'reference/listCharges'],
    ['api keys', 'quickstart#keys'],
    ['live keys', 'going-live#create-live-keys'],
    ['authentication', 'quickstart#keys'],
    ['rotate secret', 'webhooks'],
    ['go live checklist', 'going-live'],
    ['activation', 'going-live#activate-the-account'],
    ['withdraw to bank', 'going-live#top-up-and-withdraw'],
    ['top up balance', 'going-live#top-up-and-withdraw'],
    ['subscription', 'mandates'],
    ['recurring payments', 'mandates'],
    ['hosted code limits', 'billers#limits-of-the-sandbox'],
    ['become a biller', 'billers#become-a-biller'],
    ['qr code', 'reference/getCheckoutQr'],
    ['payment link', 'checkout#one-link-for-many-payments'],
    ['pagination', 'reference'],
    ['reconcile', 'reconciliation'],
    ['export csv statement', 'reconciliation#export-as-csv'],
    ['backup', 'operations#back-up-and-restore'],
    ['prometheus', 'operations#metrics-and-alerts'],
    ['webhok signatre', 'webhooks#verify-the-signature'],
    ['test card number', 'test-mode'],
  ],
  fr: [
    ['remboursement', 'checkout#rembourser'],
    ['remboursement partiel', 'checkout#rembourser'],
    ['rembourser un client', 'checkout#rembourser'],
    ['commission', 'reconciliation#frais'],
    ['frais', 'reconciliation#frais'],
    ['combien coûte un versement', 'reconciliation#frais'],
    ['comment tester', 'test-mode'],
    ['bac à sable', 'test-mode'],
    ['422', 'errors/idempotency_key_reused'],
    ['429', 'errors/rate_limited'],
    ['solde insuffisant', 'errors/insufficient_balance'],
    ['insufficient_balance', 'errors/insufficient_balance'],
    ['double paiement', 'idempotency'],
    ['doublon', 'idempotency'],
    ['clé idempotence', 'idempotency'],
    ['reessayer', 'idempotency'],
    ['signature webhook', 'webhooks#verifier-la-signature'],
    ['verifier signature', 'webhooks#verifier-la-signature'],
    ['événements', 'events'],
    ['charge.succeeded', 'events/charge.succeeded'],
    ['notification non reçue', 'webhooks'],
    ['payer les salaires', 'payouts'],
    ['fichier csv', 'payouts'],
    ['versement en masse', 'payouts'],
    ['payer tous les mois', 'payouts#payer-chaque-mois'],
    ['vérifier un bénéficiaire', 'payouts#verifier-un-destinataire'],
    ['clés api', 'quickstart#cles'],
    ['passer en production', 'going-live'],
    ['activation du compte', 'going-live#activer-le-compte'],
    ['retrait vers la banque', 'going-live'],
    ['abonnement', 'mandates'],
    ['prélèvement automatique', 'mandates'],
    ['lien de paiement', 'checkout#un-lien-pour-beaucoup-de-paiements'],
    ['devenir facturier', 'billers#devenir-facturier'],
    ['rapprochement', 'reconciliation'],
    ['sauvegarde', 'operations#sauvegarder-et-restaurer'],
    ['remborsement', 'checkout#rembourser'],
  ],
}

const pages = new WrittenPages()
const api = { routes: () => TABLE }
const reference = new ReferencePages(api)
const SEARCH = new DocsSearch({ pages, errors: new ErrorPages(pages, api), reference, events: new EventPages(reference) })

test('a search in the words of a reader has the page that answers it among the first results', async () => {
  const missed: string[] = []
  for (const language of LANGUAGES) {
    for (const [typed, address] of SEARCHES[language]) {
      const found = await SEARCH.find(typed, language)
      const first = found.slice(0, FIRST).map((section) => section.address)
      if (!first.some((one) => one.startsWith(address))) missed.push(`${language} ${typed}: ${address} not in ${first.join(', ')}`)
    }
  }
  assert.deepEqual(missed, [])
})
