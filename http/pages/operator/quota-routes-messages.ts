// Texts of quota-routes.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    noEnvironment: 'sans environnement',
    refusalStatus429: 'refus, statut 429',
    oldestOneEnds: 'le plus ancien cède sa place',
    nothingSent: 'rien n’est envoyé',
    quota: 'Quota',
    part: 'Partie',
    used: 'Utilisé',
    rate: 'Taux',
    shareOne: 'Part d’un seul',
    largest: 'Le plus grand',
    holder: 'Détenteur',
    atShare: 'À la part',
    eachAccountHasShareAccounts:
      'Chaque compte a une part. Les comptes qui ont peu d’éléments gardent une réserve, et un quart de chaque partie est réservé aux marchands activés.',
    noQuotaHalfUsed: 'Aucun quota n’est utilisé à moitié.',
    moreThanHalfUsed: (name: Fragment, partnames: Fragment) => html`Plus de la moitié est utilisée : <bdi>${name}</bdi> (${partnames}).`,
    network: 'un réseau',
  },
  en: {
    noEnvironment: 'no environment',
    refusalStatus429: 'refusal, status 429',
    oldestOneEnds: 'the oldest one ends',
    nothingSent: 'nothing is sent',
    quota: 'Quota',
    part: 'Part',
    used: 'Used',
    rate: 'Rate',
    shareOne: 'Share of one',
    largest: 'Largest',
    holder: 'Holder',
    atShare: 'At the share',
    eachAccountHasShareAccounts:
      'Each account has a share. Accounts with few items keep a reserve, and a quarter of each part is reserved for activated merchants.',
    noQuotaHalfUsed: 'No quota is half used.',
    moreThanHalfUsed: (name, partnames) => html`More than half is used: <bdi>${name}</bdi> (${partnames}).`,
    network: 'a network',
  },
})
