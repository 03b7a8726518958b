// Texts of approval-pages.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    movementsApprove: 'Mouvements à approuver',
    movementRealMoneyBringsOperators:
      'Un mouvement d’argent réel qui porte la somme du jour d’un opérateur au-dessus du plafond attend une seconde personne de la finance.',
    noMovementWaiting: 'Aucun mouvement n’attend pour le moment.',
    announcedByMerchant: 'Annoncé par le marchand',
    reference: (amount: Fragment, paymentReference: Fragment) => html`${amount}, référence <strong>${paymentReference}</strong>`,
    of: (approvalnames: Fragment, amount: Fragment, name: Fragment) => html`${approvalnames} de ${amount}, ${name}`,
    financeAloneDecides: 'Seule la finance décide.',
    approveAndCarryOut: 'Approuver et exécuter',
    movementDone: 'Le mouvement est exécuté.',
    movementRefusedNothingMoved: 'Le mouvement est refusé. Rien n’a bougé.',
    kindAndName: (kind: Fragment, name: Fragment) => html`${kind}, ${name}`,
    rules: 'Règles',
    balanceBefore: 'Solde avant',
    administratorsAloneDecide: 'Seuls les administrateurs décident.',
    balanceAfter: 'Solde ensuite',
  },
  en: {
    movementsApprove: 'Movements to approve',
    movementRealMoneyBringsOperators:
      'A movement of real money that brings an operator’s sum of the day above the limit waits for a second person of finance.',
    noMovementWaiting: 'No movement is waiting.',
    announcedByMerchant: 'Announced by the merchant',
    reference: (amount, paymentReference) => html`${amount}, reference <strong>${paymentReference}</strong>`,
    of: (approvalnames, amount, name) => html`${approvalnames} of ${amount}, ${name}`,
    financeAloneDecides: 'Finance alone decides.',
    approveAndCarryOut: 'Approve and carry out',
    movementDone: 'The movement is done.',
    movementRefusedNothingMoved: 'The movement is refused. Nothing moved.',
    kindAndName: (kind, name) => html`${kind}, ${name}`,
    rules: 'Rules',
    balanceBefore: 'Balance before',
    administratorsAloneDecide: 'Administrators alone decide.',
    balanceAfter: 'Balance afterwards',
  },
})
