// Texts of merchant-routes.ts, in both languages.
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    noMerchantHasIdentifier: 'Aucun marchand ne porte cet identifiant.',
    noMerchants: 'Aucun marchand.',
    currency: 'Monnaie',
    balances: 'Soldes',
    limits: 'Limites',
    noMembers: 'Aucun membre.',
    invited: 'invité',
    viewer: 'lecteur',
    cashier: 'caissier',
    manager: 'gérant',
    noKeys: 'Aucune clé.',
    publicKey: 'Clé publique',
    activeMember: 'actif',
    approvals: 'approbations',
  },
  en: {
    noMerchantHasIdentifier: 'No merchant has this identifier.',
    noMerchants: 'No merchants.',
    currency: 'Currency',
    balances: 'Balances',
    limits: 'Limits',
    noMembers: 'No members.',
    invited: 'invited',
    viewer: 'viewer',
    cashier: 'cashier',
    manager: 'manager',
    noKeys: 'No keys.',
    publicKey: 'Public key',
    activeMember: 'active',
    approvals: 'approvals',
  },
})
