// Texts of home-routes.ts, in both languages.
import { type Fragment, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'

export const TEXTS = texts({
  fr: {
    decide: 'À décider',
    lookAt: 'À regarder',
    stateService: 'État du service',
    latestOperations: 'Dernières opérations',
    wholeLog: 'Tout le journal',
    billersReview: (toReview: number) => `Facturiers à examiner : ${toReview}`,
    billersReview2: 'Facturiers à examiner',
    trialBalance: (environmentnames: string) => `Balance, ${environmentnames}`,
    balanced: 'équilibrée',
    folderHasDemoDataIts: (merchantId: Fragment) =>
      html`Ce dossier contient les données de démonstration. Leur compte et leurs clés sont refusés en production. <a href="operator/merchants/${merchantId}">Le marchand de démonstration</a>`,
  },
  en: {
    decide: 'To decide',
    lookAt: 'To look at',
    stateService: 'State of the service',
    latestOperations: 'Latest operations',
    wholeLog: 'The whole log',
    billersReview: (toReview) => `Billers to review: ${toReview}`,
    billersReview2: 'Billers to review',
    trialBalance: (environmentnames) => `Trial balance, ${environmentnames}`,
    balanced: 'balanced',
    folderHasDemoDataIts: (merchantId) =>
      html`This folder has the demo data. Its account and keys are refused in production. <a href="operator/merchants/${merchantId}">The demo merchant</a>`,
  },
})
