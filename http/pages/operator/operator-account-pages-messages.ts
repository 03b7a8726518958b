// Texts of operator-account-pages.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    onePersonOneTokenLog:
      'Une personne, un jeton : le journal dit qui a fait quoi. Gardez OPERATOR_TOKEN sous clé une fois ces accès créés.',
    noOperatorsYet: 'Aucun opérateur pour le moment.',
    tokenAndSessionsWillOpen: 'Son jeton et ses sessions n’ouvriront plus rien.',
    newOperator: 'Nouvel opérateur',
    createAccess: 'Créer l’accès',
    administrationOperatorsMerchantsAndKeys: 'Administration : opérateurs, marchands et clés',
    financeDepositsWithdrawalsAndApprovals: 'Finance : dépôts, retraits et approbations',
    billersReviewAndPublication: 'Facturiers : examen et publication',
    supportReadsOnly: 'Assistance : lecture seule',
    copyTokenNowItShown: (name: Fragment) =>
      html`<b>Copiez le jeton maintenant : il n’est montré qu’une fois.</b> Transmettez-le à <bdi>${name}</bdi> par un moyen sûr.`,
    token: 'Jeton',
    iHaveCopiedToken: 'J’ai copié le jeton',
    accessWaitsForAnotherPerson: 'L’accès attend l’accord d’une autre personne. Son jeton partira ensuite par e-mail.',
    revocationWaitsForAnotherPerson: 'La révocation attend l’accord d’une autre personne.',
  },
  en: {
    onePersonOneTokenLog: 'One person, one token: the log shows who did what. Lock OPERATOR_TOKEN away once these accesses exist.',
    noOperatorsYet: 'No operators yet.',
    tokenAndSessionsWillOpen: 'The token and the sessions will open nothing.',
    newOperator: 'New operator',
    createAccess: 'Create the access',
    administrationOperatorsMerchantsAndKeys: 'Administration: operators, merchants and keys',
    financeDepositsWithdrawalsAndApprovals: 'Finance: deposits, withdrawals and approvals',
    billersReviewAndPublication: 'Billers: review and publication',
    supportReadsOnly: 'Support: reads only',
    copyTokenNowItShown: (name) => html`<b>Copy the token now: it is shown once.</b> Give it to <bdi>${name}</bdi> by a safe way.`,
    token: 'Token',
    iHaveCopiedToken: 'I have copied the token',
    accessWaitsForAnotherPerson: 'The access waits for another person. Its token then leaves by e-mail.',
    revocationWaitsForAnotherPerson: 'The revocation waits for another person.',
  },
})
