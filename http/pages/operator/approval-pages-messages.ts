// Texts of approval-pages.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    movementsApprove: 'Demandes à approuver',
    nothingBeforeSecondPerson: 'Rien de ce qui attend ici n’a d’effet avant l’accord d’une seconde personne.',
    aboveAmount: 'Une seconde personne décide, car le montant dépasse ce qu’un opérateur peut déplacer seul.',
    aboveDaySum: 'Une seconde personne décide, car la somme du jour de cet opérateur dépasserait ce qu’il peut déplacer seul.',
    changesRules: 'Une seconde personne décide, car les règles de l’argent réel changent à deux.',
    noMovementWaiting: 'Aucune demande n’attend pour le moment.',
    announcedByMerchant: 'Annoncé par le marchand',
    reference: (amount: Fragment, paymentReference: Fragment) => html`${amount}, référence <strong>${paymentReference}</strong>`,
    of: (approvalnames: Fragment, amount: Fragment, name: Fragment) => html`${approvalnames} de ${amount}, ${name}`,
    financeAloneDecides: 'Seule la finance décide.',
    approveAndCarryOut: 'Approuver et exécuter',
    movementDone: 'Le mouvement est exécuté.',
    movementRefusedNothingMoved: 'Le mouvement est refusé. Rien n’a bougé.',
    kindAndName: (kind: Fragment, name: Fragment) => html`${kind}, ${name}`,
    balanceBefore: 'Solde avant',
    administratorsAloneDecide: 'Seuls les administrateurs décident.',
    balanceAfter: 'Solde ensuite',
  },
  en: {
    movementsApprove: 'Requests to approve',
    nothingBeforeSecondPerson: 'Nothing that waits here has an effect before a second person agrees.',
    aboveAmount: 'A second person decides, because the amount is above what one operator may move alone.',
    aboveDaySum: 'A second person decides, because the operator’s sum of the day would be above what one may move alone.',
    changesRules: 'A second person decides, because rules of real money are changed by two.',
    noMovementWaiting: 'No request is waiting.',
    announcedByMerchant: 'Announced by the merchant',
    reference: (amount, paymentReference) => html`${amount}, reference <strong>${paymentReference}</strong>`,
    of: (approvalnames, amount, name) => html`${approvalnames} of ${amount}, ${name}`,
    financeAloneDecides: 'Finance alone decides.',
    approveAndCarryOut: 'Approve and carry out',
    movementDone: 'The movement is done.',
    movementRefusedNothingMoved: 'The movement is refused. Nothing moved.',
    kindAndName: (kind, name) => html`${kind}, ${name}`,
    balanceBefore: 'Balance before',
    administratorsAloneDecide: 'Administrators alone decide.',
    balanceAfter: 'Balance afterwards',
  },
})
