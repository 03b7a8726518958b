// The vocabulary of pages, messages and errors: one French term for one thing. A test holds that the synonyms occur nowhere.

export interface Term {
  readonly french: string
  readonly english: string
  /** What it names, by the field's term. */
  readonly meaning: string
  /** Where readers meet it. */
  readonly where: readonly ('dashboard' | 'desk' | 'checkout' | 'wallet' | 'message' | 'error')[]
  /** Words that must not be used for it, in lower case. */
  readonly instead: readonly string[]
}

const EVERYWHERE = ['dashboard', 'desk', 'checkout', 'wallet', 'message', 'error'] as const

export const GLOSSARY: readonly Term[] = [
  {
    french: 'encaissement',
    english: 'charge',
    meaning: 'charge of a merchant',
    where: ['dashboard', 'desk'],
    instead: ['recette', 'vente'],
  },
  {
    french: 'demande de paiement',
    english: 'payment request',
    meaning: 'charge that is not paid yet',
    where: ['dashboard', 'checkout', 'wallet', 'error'],
    instead: ['facturette', 'appel de fonds'],
  },
  { french: 'versement', english: 'payout', meaning: 'payout', where: ['dashboard', 'error'], instead: ['décaissement', 'payout'] },
  { french: 'versement groupé', english: 'bulk payout', meaning: 'payout batch', where: ['dashboard'], instead: ['lot', 'lots', 'batch'] },
  {
    french: 'versement programmé',
    english: 'scheduled payout',
    meaning: 'schedule',
    where: ['dashboard', 'error'],
    instead: ['programmation', 'programmations', 'échéancier'],
  },
  {
    french: 'fréquence',
    english: 'frequency',
    meaning: 'recurrence, interval',
    where: ['dashboard'],
    instead: ['périodicité', 'récurrence'],
  },
  {
    french: 'approvisionnement',
    english: 'top-up',
    meaning: 'top-up',
    where: ['dashboard', 'desk'],
    instead: ['recharge', 'rechargement'],
  },
  { french: 'retrait', english: 'withdrawal', meaning: 'withdrawal', where: ['dashboard', 'desk'], instead: ['cash-out'] },
  { french: 'remboursement', english: 'refund', meaning: 'refund', where: EVERYWHERE, instead: ['ristourne'] },
  {
    french: 'adresse de réception',
    english: 'webhook endpoint',
    meaning: 'webhook endpoint',
    where: ['dashboard', 'error'],
    instead: ['point de terminaison', 'points de terminaison', 'endpoint'],
  },
  { french: 'évènement', english: 'event', meaning: 'webhook event', where: ['dashboard', 'error'], instead: ['événement', 'événements'] },
  {
    french: 'production',
    english: 'production',
    meaning: 'environment live',
    where: ['dashboard', 'desk'],
    instead: ['environnement réel', 'en réel', 'environnement live'],
  },
  {
    french: 'autorisation de prélèvement',
    english: 'direct debit',
    meaning: 'mandate',
    where: EVERYWHERE,
    instead: ['mandat', 'mandats', 'abonnement récurrent'],
  },
  { french: 'portefeuille', english: 'wallet', meaning: 'wallet', where: EVERYWHERE, instead: ['wallet', 'porte-monnaie'] },
  {
    french: 'facturier',
    english: 'biller',
    meaning: 'biller',
    where: ['dashboard', 'desk', 'wallet', 'error'],
    instead: ['biller', 'émetteur de factures'],
  },
  { french: 'marchand', english: 'merchant', meaning: 'merchant', where: EVERYWHERE, instead: ['commerçant', 'vendeur'] },
  {
    french: 'membre',
    english: 'member',
    meaning: 'user of a merchant account',
    where: ['dashboard', 'error'],
    instead: ['collaborateur', 'collaborateurs'],
  },
  {
    french: 'validation en deux étapes',
    english: 'two-step verification',
    meaning: 'TOTP',
    where: ['dashboard', 'error'],
    instead: ['double authentification', '2fa', 'totp', 'authentification à deux facteurs'],
  },
  { french: 'code PIN', english: 'PIN', meaning: 'PIN of a wallet', where: EVERYWHERE, instead: ['code secret', 'code confidentiel'] },
  { french: 'bureau', english: 'desk', meaning: 'pages of operators', where: ['desk'], instead: ['guichet', 'back-office'] },
  { french: 'e-mail', english: 'e-mail', meaning: 'e-mail', where: EVERYWHERE, instead: ['courriel', 'email', 'mail'] },
]
