// Names of what keys and members of a merchant do, in both languages.
import type { ActivityAction } from '../../engine/contract/activity.ts'
import type { Language } from './language.ts'

export const ACTIVITY_WORDS: Readonly<Record<ActivityAction, Readonly<Record<Language, string>>>> = {
  'disbursement.create': { fr: 'Versement groupé créé', en: 'Bulk payout created' },
  'disbursement.start': { fr: 'Versement groupé lancé', en: 'Bulk payout started' },
  'disbursement.approve': { fr: 'Versement groupé approuvé', en: 'Bulk payout approved' },
  'disbursement.reject': { fr: 'Versement groupé rejeté', en: 'Bulk payout rejected' },
  'disbursement.pause': { fr: 'Versement groupé mis en pause', en: 'Bulk payout paused' },
  'disbursement.resume': { fr: 'Versement groupé repris', en: 'Bulk payout resumed' },
  'disbursement.cancel': { fr: 'Versement groupé annulé', en: 'Bulk payout cancelled' },
  'payout_policy.set': { fr: 'Règle des versements modifiée', en: 'Payout policy changed' },
  'account.set': { fr: 'Compte modifié', en: 'Account changed' },
  'logo.set': { fr: 'Logo envoyé ou retiré', en: 'Logo sent or removed' },
  'name.request': { fr: 'Nouveau nom demandé ou retiré', en: 'New name requested or withdrawn' },
  'api_key.create': { fr: 'Clé API créée', en: 'API key created' },
  'api_key.limits_set': { fr: 'Limites d’une clé API modifiées', en: 'Limits of an API key changed' },
  'api_key.revoke': { fr: 'Clé API révoquée', en: 'API key revoked' },
  'session.open': { fr: 'Connexion au tableau de bord', en: 'Sign-in to the dashboard' },
}
