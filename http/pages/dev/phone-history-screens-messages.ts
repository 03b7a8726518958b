// Texts of phone-history-screens.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    noMovementMatches: 'Aucun mouvement ne correspond.',
    olderMovements: 'Mouvements plus anciens',
    referenceTagOrIdentifier: 'Référence, @tag ou identifiant',
    to: 'Au',
    moneySent: 'Argent envoyé',
    wholeHistory: 'Tout l’historique',
    to2: 'À',
    to3: (linenames: Fragment, counterparty: Fragment) => html`${linenames} à <b><bdi>${counterparty}</bdi></b>`,
    from: (linenames: Fragment, counterparty: Fragment) => html`${linenames} de <b><bdi>${counterparty}</bdi></b>`,
  },
  en: {
    noMovementMatches: 'No movement matches.',
    olderMovements: 'Older movements',
    referenceTagOrIdentifier: 'Reference, @tag or identifier',
    to: 'To',
    moneySent: 'Money sent',
    wholeHistory: 'Whole history',
    to2: 'To',
    to3: (linenames, counterparty) => html`${linenames} to <b><bdi>${counterparty}</bdi></b>`,
    from: (linenames, counterparty) => html`${linenames} from <b><bdi>${counterparty}</bdi></b>`,
  },
})
