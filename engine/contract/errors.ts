// Catalogue of error codes, each with its kind of rejection and its French message. Codes and kinds are stable between
// releases; messages may be reworded. Only `errorBody` writes error bodies.
import type { RejectionKind } from './outcome-kind.ts'

/** Kind of rejection of a code, and a French sentence that end users may read. */
export interface ErrorEntry {
  readonly kind: RejectionKind
  readonly message: string
}

/** Error codes, grouped by routes. A code has one kind on all routes. `PAYOUT_FAILURES` lists the `failure_code` of payouts. */
export const ERRORS = {
  // Requests in general
  invalid_request: { kind: 'invalid', message: 'La requête contient une valeur manquante ou invalide.' },
  unknown_field: {
    kind: 'invalid',
    message: 'Cette opération ne connaît pas ce champ. Rien n’a été fait : vérifiez l’orthographe du champ, ou retirez-le.',
  },
  invalid_parameter: { kind: 'invalid', message: 'Un paramètre de l’adresse est inconnu ou invalide.' },
  invalid_json: { kind: 'invalid', message: 'Le corps de la requête n’est pas un JSON valide.' },
  idempotency_key_required: { kind: 'invalid', message: 'L’en-tête Idempotency-Key est obligatoire pour cette opération.' },
  idempotency_key_reused: { kind: 'unprocessable', message: 'Cette clé d’idempotence a déjà servi pour une autre requête.' },
  not_found: { kind: 'not_found', message: 'La ressource demandée est introuvable.' },
  method_not_allowed: { kind: 'method_not_allowed', message: 'Cette méthode n’est pas autorisée à cette adresse.' },
  payload_too_large: { kind: 'too_large', message: 'Le corps de la requête est trop volumineux.' },
  unsupported_media_type: { kind: 'unsupported_type', message: 'Le type de contenu de la requête n’est pas pris en charge.' },
  rate_limited: { kind: 'rate_limited', message: 'Trop de requêtes. Veuillez patienter avant de réessayer.' },
  quota_exceeded: {
    kind: 'rate_limited',
    message: 'Votre compte a atteint sa part de cette ressource. Terminez ou fermez des éléments, ou réessayez plus tard.',
  },
  internal_error: { kind: 'internal_error', message: 'Une erreur est survenue de notre côté. Veuillez réessayer plus tard.' },
  unavailable: { kind: 'unavailable', message: 'Le service est momentanément indisponible. Veuillez réessayer dans quelques instants.' },

  // Merchants: keys and dashboard
  unauthorized: { kind: 'unauthorized', message: 'Authentification requise ou identifiants invalides.' },
  insufficient_scope: { kind: 'forbidden', message: 'Votre clé API ne dispose pas de l’autorisation nécessaire à cette opération.' },
  merchant_suspended: { kind: 'forbidden', message: 'Ce compte marchand est suspendu : aucun mouvement d’argent n’est possible.' },
  live_not_activated: { kind: 'forbidden', message: 'Ce compte marchand n’est pas encore activé : aucun argent réel ne peut circuler.' },
  signup_closed: { kind: 'forbidden', message: 'Les inscriptions sont fermées. Veuillez contacter le service.' },
  test_only: { kind: 'forbidden', message: 'Cette opération est réservée à l’environnement de test.' },
  email_taken: { kind: 'conflict', message: 'Cette adresse e-mail est déjà utilisée.' },
  invalid_credentials: { kind: 'unauthorized', message: 'Adresse e-mail ou mot de passe incorrect.' },
  weak_password: { kind: 'invalid', message: 'Ce mot de passe est trop faible. Veuillez en choisir un plus long ou moins courant.' },
  too_many_api_keys: { kind: 'conflict', message: 'Le nombre maximal de clés API est atteint. Révoquez-en une d’abord.' },
  insufficient_role: { kind: 'forbidden', message: 'Votre rôle ne permet pas cette opération.' },
  csrf_failed: { kind: 'forbidden', message: 'Votre session n’a pas pu être vérifiée. Veuillez recharger la page et réessayer.' },

  password_required: { kind: 'unauthorized', message: 'Confirmez ce changement par votre mot de passe.' },
  totp_required: { kind: 'unauthorized', message: 'Le code de validation en deux étapes est requis.' },
  totp_incorrect: { kind: 'unauthorized', message: 'Le code de validation en deux étapes est incorrect ou a déjà servi.' },
  totp_already_enabled: { kind: 'conflict', message: 'La validation en deux étapes est déjà active.' },
  totp_not_enrolled: { kind: 'conflict', message: 'L’inscription à la validation en deux étapes a changé. Recommencez-la.' },
  totp_not_enabled: { kind: 'conflict', message: 'La validation en deux étapes n’est pas active.' },
  invalid_token: { kind: 'invalid', message: 'Ce lien n’est plus valable. Demandez-en un nouveau.' },
  last_owner: { kind: 'conflict', message: 'Le dernier propriétaire ne peut pas quitter le compte.' },
  too_many_members: { kind: 'conflict', message: 'Le nombre maximal de membres est atteint. Retirez-en un d’abord.' },
  email_not_confirmed: { kind: 'forbidden', message: 'Confirmez d’abord votre adresse e-mail par le lien que vous avez reçu.' },

  // Charges and checkout
  environment_mismatch: { kind: 'invalid', message: 'L’environnement indiqué ne correspond pas à celui de la clé API.' },
  unsupported_currency: { kind: 'invalid', message: 'Cette devise n’est pas celle du compte.' },
  redirect_url_must_be_https: { kind: 'invalid', message: 'L’adresse de redirection doit commencer par https://.' },
  webhook_url_must_be_https: { kind: 'invalid', message: 'L’adresse du webhook doit commencer par https://.' },
  charge_not_pending: { kind: 'conflict', message: 'Cette demande de paiement n’est plus en attente.' },
  charge_not_paid: { kind: 'conflict', message: 'Cette demande de paiement n’a pas été payée.' },
  charge_already_refunded: { kind: 'conflict', message: 'Ce paiement a déjà été remboursé.' },
  partial_refund_unsupported: {
    kind: 'invalid',
    message: 'Seul le montant entier peut être remboursé. Indiquez-le, ou retirez le champ amount.',
  },
  charge_already_paid: { kind: 'conflict', message: 'Cette demande de paiement a déjà été payée.' },
  charge_expired: { kind: 'conflict', message: 'Cette demande de paiement a expiré.' },
  charge_cancelled: { kind: 'conflict', message: 'Cette demande de paiement a été annulée.' },
  funds_paid_out: { kind: 'conflict', message: 'Le solde du marchand ne couvre plus le montant à rembourser.' },
  wrong_customer: { kind: 'forbidden', message: 'Cette demande de paiement est destinée à un autre client.' },
  qr_expired: { kind: 'invalid', message: 'Ce code QR n’est plus valable. Veuillez scanner le code affiché actuellement.' },
  insufficient_balance: { kind: 'insufficient_funds', message: 'Le solde est insuffisant pour cette opération.' },
  payment_link_closed: { kind: 'conflict', message: 'Ce lien de paiement est fermé.' },

  // Top-ups and withdrawals
  request_not_open: { kind: 'conflict', message: 'Cette demande est déjà terminée.' },

  // Webhooks
  too_many_webhook_endpoints: {
    kind: 'conflict',
    message: 'Le nombre maximal d’adresses de réception est atteint. Supprimez-en une d’abord.',
  },
  no_webhook_endpoint: { kind: 'conflict', message: 'Aucune adresse de réception active ne reçoit cet évènement.' },

  // Payouts, transfers and schedules
  invalid_recipient: {
    kind: 'invalid',
    message: 'Le destinataire n’est pas valide : saisissez un @tag, ou un téléphone avec son + et l’indicatif du pays.',
  },
  recipient_not_found: { kind: 'not_found', message: 'Aucun portefeuille ne correspond à ce destinataire.' },
  recipient_blocked: { kind: 'conflict', message: 'Le portefeuille du destinataire ne peut pas recevoir d’argent actuellement.' },
  recipient_limit_exceeded: { kind: 'conflict', message: 'Ce versement dépasserait le plafond du compte du destinataire.' },
  self_transfer: { kind: 'invalid', message: 'Vous ne pouvez pas vous envoyer de l’argent à vous-même.' },
  batch_too_large: { kind: 'invalid', message: 'La liste dépasse le maximum de 500 lignes.' },
  items_required: { kind: 'invalid', message: 'La liste doit comporter au moins une ligne.' },
  invalid_start_at: { kind: 'invalid', message: 'La date de début doit être dans le futur.' },
  schedule_not_active: { kind: 'conflict', message: 'L’état de ce versement programmé ne permet pas cette opération.' },

  // Billers: profile and logo
  biller_not_found: { kind: 'not_found', message: 'Aucun facturier ne correspond à cette demande.' },
  invalid_category: { kind: 'invalid', message: 'Cette catégorie n’existe pas.' },
  display_name_required: { kind: 'invalid', message: 'Le nom affiché est obligatoire.' },
  short_desc_required: { kind: 'invalid', message: 'La description courte est obligatoire.' },
  field_frozen: { kind: 'conflict', message: 'Ce champ ne peut plus être modifié après la publication.' },
  logo_required: { kind: 'invalid', message: 'Le fichier du logo est obligatoire.' },
  invalid_logo_format: { kind: 'invalid', message: 'Le logo doit être une image PNG, JPEG ou WebP.' },
  logo_not_square: { kind: 'invalid', message: 'Le logo doit être carré.' },
  logo_too_small: { kind: 'invalid', message: 'Le logo doit mesurer au moins 128 × 128 pixels.' },
  logo_too_large: { kind: 'too_large', message: 'Le logo ne doit pas dépasser 512 Ko.' },
  profile_incomplete: { kind: 'invalid', message: 'Le profil doit avoir un nom, une catégorie, une description et un logo.' },
  products_required: { kind: 'invalid', message: 'Au moins un produit actif est nécessaire.' },
  invalid_directory_state: { kind: 'conflict', message: 'L’état actuel du facturier ne permet pas cette opération.' },

  // Billers: products
  invalid_slug: { kind: 'invalid', message: 'L’identifiant du produit n’accepte que des minuscules, des chiffres et des tirets.' },
  slug_taken: { kind: 'conflict', message: 'Un produit porte déjà cet identifiant.' },
  title_required: { kind: 'invalid', message: 'Le titre est obligatoire.' },
  invalid_amount_mode: { kind: 'invalid', message: 'Le mode de montant doit être fixed, user ou lookup.' },
  invalid_schema_json: { kind: 'invalid', message: 'Le schéma du formulaire est absent ou mal formé.' },
  packages_required: { kind: 'invalid', message: 'Le mode fixed exige au moins une formule.' },
  invalid_package: { kind: 'invalid', message: 'Chaque formule doit avoir un libellé et un montant entier supérieur à zéro.' },
  invalid_amount_bounds: { kind: 'invalid', message: 'Les bornes ou les montants proposés ne sont pas valides.' },
  identify_fields_required: { kind: 'invalid', message: 'Le mode lookup exige au moins un champ d’identification.' },
  amount_field_required: { kind: 'invalid', message: 'Le mode user exige un champ de type amount.' },
  lookup_url_required: { kind: 'invalid', message: 'L’adresse de consultation est obligatoire.' },
  lookup_url_must_be_https: { kind: 'invalid', message: 'L’adresse de consultation doit commencer par https://.' },
  lookup_code_required: { kind: 'invalid', message: 'Le code de la fonction de consultation est obligatoire.' },
  fulfillment_code_required: { kind: 'invalid', message: 'Le code de la fonction de livraison est obligatoire.' },
  invalid_lookup_code: { kind: 'invalid', message: 'Le code de la fonction de consultation contient une erreur.' },
  invalid_fulfillment_code: { kind: 'invalid', message: 'Le code de la fonction de livraison contient une erreur.' },
  field_id_label_required: { kind: 'invalid', message: 'Chaque champ doit avoir un identifiant et un libellé.' },
  duplicate_field_id: { kind: 'invalid', message: 'Deux champs portent le même identifiant.' },
  invalid_field_type: { kind: 'invalid', message: 'Le type d’un champ doit être text, number, phone, select ou amount.' },
  invalid_field_pattern: { kind: 'invalid', message: 'L’expression régulière d’un champ n’est pas valide ou n’est pas prise en charge.' },
  select_options_required: { kind: 'invalid', message: 'Un champ select exige des options, chacune avec une valeur et un libellé.' },
  invalid_step_action: { kind: 'invalid', message: 'L’action d’une étape est inconnue ou incompatible avec le mode de montant.' },
  too_many_products: { kind: 'conflict', message: 'Le nombre maximal de produits est atteint.' },
  product_not_found: { kind: 'not_found', message: 'Ce produit est introuvable.' },
  product_inactive: { kind: 'conflict', message: 'Ce produit est momentanément indisponible.' },
  lookup_not_configured: { kind: 'conflict', message: 'Ce produit n’a pas de consultation configurée.' },
  fulfillment_not_configured: { kind: 'conflict', message: 'Ce produit n’a pas de livraison configurée.' },

  // Paying a bill
  invalid_form_values: { kind: 'invalid', message: 'Une valeur du formulaire est manquante ou invalide.' },
  amount_out_of_bounds: { kind: 'invalid', message: 'Le montant saisi est en dehors des limites autorisées.' },
  package_not_found: { kind: 'not_found', message: 'Cette formule n’existe pas.' },
  quote_expired: { kind: 'conflict', message: 'Ce devis a expiré. Veuillez relancer la consultation.' },
  already_fulfilled: { kind: 'conflict', message: 'La livraison de cette facture a déjà réussi.' },
  fulfillment_running: {
    kind: 'conflict',
    message: 'La livraison de cette facture est en cours. Veuillez réessayer quand elle sera terminée.',
  },
  bill_already_refunded: { kind: 'conflict', message: 'Cette facture a déjà été remboursée.' },
  quote_used: { kind: 'conflict', message: 'Ce devis a déjà été utilisé.' },
  lookup_failed: { kind: 'unprocessable', message: 'Le facturier n’a pas trouvé de montant à payer.' },
  lookup_unavailable: { kind: 'upstream_failed', message: 'Le facturier ne répond pas correctement. Veuillez réessayer plus tard.' },
  lookup_timeout: { kind: 'upstream_timeout', message: 'Le facturier met trop de temps à répondre. Veuillez réessayer plus tard.' },

  // Wallets
  invalid_tag: {
    kind: 'invalid',
    message: 'Un tag comporte de 3 à 20 lettres minuscules, chiffres ou tirets bas, au moins une lettre, et n’est pas un mot réservé.',
  },
  tag_taken: { kind: 'conflict', message: 'Ce tag est déjà pris.' },
  unsupported_country: {
    kind: 'invalid',
    message: 'Les numéros de ce pays ne sont pas pris en charge. Veuillez utiliser un numéro d’un pays où le service est disponible.',
  },
  phone_taken: { kind: 'conflict', message: 'Ce numéro de téléphone a déjà un portefeuille.' },
  wallet_blocked: { kind: 'forbidden', message: 'Ce portefeuille est bloqué : il ne peut ni payer ni recevoir. Contactez le service.' },
  wallet_not_found: { kind: 'not_found', message: 'Ce portefeuille est introuvable.' },
  signup_incomplete: { kind: 'conflict', message: 'Une étape précédente de l’inscription n’est pas terminée.' },
  weak_pin: { kind: 'invalid', message: 'Ce code PIN est trop facile à deviner. Veuillez en choisir un autre.' },
  pin_incorrect: { kind: 'unauthorized', message: 'Le code PIN est incorrect.' },
  pin_locked: { kind: 'locked', message: 'Le code PIN est bloqué après plusieurs erreurs. Veuillez réessayer plus tard.' },
  otp_incorrect: { kind: 'unauthorized', message: 'Le code reçu par SMS est incorrect.' },
  otp_expired: { kind: 'unauthorized', message: 'Le code reçu par SMS a expiré. Veuillez en demander un nouveau.' },
  otp_attempts_exceeded: { kind: 'rate_limited', message: 'Trop de codes incorrects. Veuillez demander un nouveau code.' },
  device_not_registered: { kind: 'unauthorized', message: 'Cet appareil n’est pas enregistré. Veuillez vous connecter de nouveau.' },
  invalid_id_token: { kind: 'unauthorized', message: 'Le jeton d’identité n’est pas valide.' },

  // Operators
  too_many_operators: { kind: 'conflict', message: 'Le nombre maximal d’opérateurs est atteint. Révoquez-en un d’abord.' },
  too_many_approvals: { kind: 'conflict', message: 'Trop de demandes attendent une seconde personne. Décidez-en quelques-unes d’abord.' },
  approval_waiting: { kind: 'conflict', message: 'Une seconde personne doit d’abord décider de ce mouvement.' },
  approval_not_waiting: { kind: 'conflict', message: 'Une décision a déjà été prise sur cette demande.' },
  second_person_required: {
    kind: 'forbidden',
    message: 'Cette demande doit être approuvée par une autre personne que celle qui l’a faite.',
  },

  // Mandates
  amount_required: { kind: 'invalid', message: 'Un montant ou un montant maximal est obligatoire.' },
  customer_not_found: { kind: 'not_found', message: 'Aucun client ne correspond à ce tag.' },
  mandate_not_active: { kind: 'conflict', message: 'L’état de cette autorisation de prélèvement ne permet pas cette opération.' },
  mandate_not_on_demand: {
    kind: 'conflict',
    message: 'Cette autorisation est prélevée automatiquement : aucun paiement ne peut être demandé.',
  },
  mandate_not_due: {
    kind: 'conflict',
    message: 'Le prochain paiement de cette autorisation de prélèvement ne peut pas encore être demandé.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

/**
 * Reasons why a payout is `failed`, with a French sentence for pages and exports. A failed payout is a success response
 * (201 with `failure_code`), so codes that are also in `ERRORS` have no kind here.
 */
export const PAYOUT_FAILURES = {
  insufficient_balance: 'Le solde de versement était insuffisant.',
  recipient_not_found: 'Aucun portefeuille ne correspond à ce destinataire.',
  recipient_blocked: 'Le portefeuille du destinataire ne pouvait pas recevoir d’argent.',
  recipient_check_limited: 'La limite de destinataires inconnus était atteinte et ce destinataire n’avait jamais été payé.',
  recipient_limit_exceeded: 'Le versement dépassait le plafond du compte du destinataire.',
  merchant_suspended: 'Le compte marchand était suspendu.',
  live_not_activated: 'Le compte marchand n’était pas encore activé.',
  invalid_amount: 'Le montant de la ligne n’est pas valide.',
  invalid_recipient: 'Le destinataire n’est pas valide : saisissez un @tag, ou un téléphone avec son + et l’indicatif du pays.',
  invalid_reference: 'La référence de la ligne n’est pas valide.',
  invalid_note: 'La note de la ligne n’est pas valide.',
  unknown_field: 'La ligne comporte un champ inconnu.',
  unsupported_currency: 'La devise de la ligne n’est pas celle du compte.',
} as const satisfies Record<string, string>

export type PayoutFailureCode = keyof typeof PAYOUT_FAILURES

export const PAYOUT_FAILURE_CODES = Object.keys(PAYOUT_FAILURES) as readonly PayoutFailureCode[]

/** Members of an error body beside `code` and `param`. */
export interface ErrorExtras {
  /** Replaces the catalogue's sentence: the biller's reason for `lookup_failed`, the syntax error and its line for `invalid_…_code`. */
  readonly message?: string
  readonly attempts_left?: number
  readonly request_id?: string
}

/** Codes whose sentence names no cause: each rejection with one of them says its reason. */
export type ReasonedCode = 'invalid_request' | 'invalid_parameter'

type Loose = [param?: string | undefined, extras?: ErrorExtras | undefined]

/**
 * What follows the code of a rejection: the dotted path of the field, parameter or header at fault, and further members. A reasoned
 * code without its message does not compile.
 */
export type ErrorDetails<Code extends ErrorCode> = [ErrorCode] extends [Code]
  ? Loose
  : [Extract<Code, ReasonedCode>] extends [never]
    ? Loose
    : [param: string | undefined, extras: ErrorExtras & { readonly message: string }]

/** Returns an `ErrorBody` as JSON text. `param` is the dotted path of the field, parameter or header at fault. */
export function errorBody(code: ErrorCode, param?: string, extras?: ErrorExtras): string {
  if (param === undefined && extras === undefined) return BARE_BODIES[code]
  const body: Record<string, unknown> = { code, message: extras?.message ?? ERRORS[code].message }
  if (param !== undefined) body.param = param
  if (extras?.attempts_left !== undefined) body.attempts_left = extras.attempts_left
  if (extras?.request_id !== undefined) body.request_id = extras.request_id
  return JSON.stringify(body)
}

/** Returns the same ErrorBody with the id of its request. */
export function withRequestId(body: string, requestId: string): string {
  return `${body.slice(0, -1)},"request_id":${JSON.stringify(requestId)}}`
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text)
}

/** Error bodies without extras, rendered once: rejections under load (429, 503) must stay cheap. */
const BARE_BODIES = Object.fromEntries(
  ERROR_CODES.map((code) => [code, JSON.stringify({ code, message: ERRORS[code].message })]),
) as Record<ErrorCode, string>
