// Texts of trial-pages.ts, in both languages.
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    trialInBrackets: '(essai)',
    nothingPaidAndNoQuote: 'Rien n’est payé et aucun devis n’est créé : vos systèmes et votre code sont appelés pour de vrai.',
    runLog: 'Journal d’exécution',
    try: (title: Fragment) => html`Essayer ${title}`,
    editProduct: 'Modifier le produit',
    lookUp: 'Consulter',
    runOnPaid: 'Exécuter onPaid',
    productHasNeitherLookupNor: 'Ce produit n’a ni consultation ni code : il n’y a rien à essayer.',
    tryProduct: 'Essayer un produit',
    answerOfSystem: 'Réponse brute',
    answer: (name: string) => `${name} : réponse`,
    codeHasNotRunYet: 'Votre code n’a pas encore été exécuté.',
    ms: (badge: Fragment, kinds: Fragment, test: Fragment, createdAt: Fragment, durationMs: Fragment) =>
      html`${badge} ${kinds}${test}, ${createdAt}, ${durationMs}\u00a0ms`,
    succeeded: 'Réussi',
    ms2: (method: Fragment, host: Fragment, status: Fragment, durationMs: Fragment) =>
      html`<code>${method} ${host}</code> : ${status}, ${durationMs}\u00a0ms`,
    noAnswer: 'sans réponse',
    nothingWasWrittenConsole: 'Rien n’a été écrit dans la console.',
  },
  en: {
    trialInBrackets: '(trial)',
    nothingPaidAndNoQuote: 'Nothing is paid and no quote is created: your systems and your code are really called.',
    runLog: 'Run log',
    try: (title) => html`Try ${title}`,
    editProduct: 'Edit the product',
    lookUp: 'Look up',
    runOnPaid: 'Run onPaid',
    productHasNeitherLookupNor: 'This product has neither lookup nor code: there is nothing to try.',
    tryProduct: 'Try a product',
    answerOfSystem: 'Raw answer',
    answer: (name) => `${name}: answer`,
    codeHasNotRunYet: 'Your code has not run yet.',
    ms: (badge, kinds, test, createdAt, durationMs) => html`${badge} ${kinds}${test}, ${createdAt}, ${durationMs} ms`,
    succeeded: 'Succeeded',
    ms2: (method, host, status, durationMs) => html`<code>${method} ${host}</code>: ${status}, ${durationMs} ms`,
    noAnswer: 'no answer',
    nothingWasWrittenConsole: 'Nothing was written to the console.',
  },
})
