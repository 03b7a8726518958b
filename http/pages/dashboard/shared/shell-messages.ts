// Texts of shell.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    counter: 'Comptoir',
    messages: 'Messages',
    till: 'Caisse',
    statements: 'Relevés',
    news: 'Nouvelles : tout est lu',
    unreadNews: (count: number) => (count === 1 ? 'Nouvelles : 1 non lue' : `Nouvelles : ${count} non lues`),
    notices: 'Avis',
    balance: 'Solde',
    developers: 'Développeurs',
    settings: 'Réglages',
    test: (title: Fragment) => html`${title} · Test`,
    production: (title: Fragment) => html`${title} · Production`,
    searchEverywhere: 'Rechercher partout',
    test2: 'Test',
    testEnvironmentNoRealMoney: html`<strong>Environnement de test.</strong> Aucun argent réel ne circule.`,
    accountSuspendedNoMoneyMoves: (reason: Fragment) =>
      html`Votre compte est suspendu : aucun argent ne circule. Raison : <bdi>${reason}</bdi>`,
    noRealMoneyMovesBefore: (value: Fragment) =>
      html`Aucun argent réel ne circule avant l’activation. <a href="${value}">Activer mon compte</a>`,
  },
  en: {
    counter: 'Counter',
    messages: 'Messages',
    till: 'Till',
    statements: 'Statements',
    news: 'News: everything is read',
    unreadNews: (count) => `News: ${count} unread`,
    notices: 'Notices',
    balance: 'Balance',
    developers: 'Developers',
    settings: 'Settings',
    test: (title) => html`${title} · Test`,
    production: (title) => html`${title} · Production`,
    searchEverywhere: 'Search everywhere',
    test2: 'Test',
    testEnvironmentNoRealMoney: html`<strong>Test environment.</strong> No real money moves.`,
    accountSuspendedNoMoneyMoves: (reason) => html`Your account is suspended: no money moves. Reason: <bdi>${reason}</bdi>`,
    noRealMoneyMovesBefore: (value) => html`No real money moves before the activation. <a href="${value}">Activate my account</a>`,
  },
})
