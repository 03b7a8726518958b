// Names of what keys and members of a merchant do, in both languages.
import type { ActivityAction } from '../../engine/contract/activity.ts'
import type { Language } from './language.ts'

export const ACTIVITY_WORDS: Readonly<Record<ActivityAction, Readonly<Record<Language, string>>>> = {
  'disbursement.create': { fr: 'Versement de masse créé', en: 'Disbursement created' },
  'disbursement.start': { fr: 'Versement de masse lancé', en: 'Disbursement started' },
  'disbursement.approve': { fr: 'Versement de masse approuvé', en: 'Disbursement approved' },
  'disbursement.reject': { fr: 'Versement de masse rejeté', en: 'Disbursement rejected' },
  'disbursement.pause': { fr: 'Versement de masse mis en pause', en: 'Disbursement paused' },
  'disbursement.resume': { fr: 'Versement de masse repris', en: 'Disbursement resumed' },
  'disbursement.cancel': { fr: 'Versement de masse annulé', en: 'Disbursement cancelled' },
  'payout_policy.set': { fr: 'Règle des versements modifiée', en: 'Payout policy changed' },
  'account.set': { fr: 'Compte modifié', en: 'Account changed' },
  'logo.set': { fr: 'Logo envoyé ou retiré', en: 'Logo sent or removed' },
  'name.request': { fr: 'Nouveau nom demandé ou retiré', en: 'New name requested or withdrawn' },
  'api_key.create': { fr: 'Clé API créée', en: 'API key created' },
  'api_key.limits_set': { fr: 'Limites d’une clé API modifiées', en: 'Limits of an API key changed' },
  'api_key.revoke': { fr: 'Clé API révoquée', en: 'API key revoked' },
  'session.open': { fr: 'Connexion au tableau de bord', en: 'Sign-in to the dashboard' },
}
