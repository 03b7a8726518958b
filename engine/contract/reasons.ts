// Reasons of rejections whose code names no cause, in both languages. A decider names one; a route adds its sentence by `because`.

export const REASONS = {
  // Bills
  quote_not_taken: {
    fr: 'Ce produit ne se paie pas par devis : n’envoyez pas quote_id.',
    en: 'This product is not paid by quote: do not send quote_id.',
  },
  quote_required: {
    fr: 'Ce produit se paie par devis : demandez-en un, puis envoyez son quote_id.',
    en: 'This product is paid by quote: ask for one, then send its quote_id.',
  },
  package_not_taken: {
    fr: 'Ce produit n’a pas de forfaits : n’envoyez pas package_id.',
    en: 'This product has no packages: do not send package_id.',
  },
  package_required: {
    fr: 'Ce produit se paie par forfait : envoyez le package_id choisi.',
    en: 'This product is paid by package: send the chosen package_id.',
  },
  package_amount_differs: {
    fr: 'Le montant n’est pas celui du forfait, qui a peut-être changé.',
    en: 'The amount is not the package’s, which may have changed.',
  },
  quote_amount_differs: { fr: 'Le montant n’est pas celui du devis.', en: 'The amount is not the quote’s.' },
  // Mandates and payment links
  end_too_early: {
    fr: 'La date end_at doit être dans le futur, et après start_at.',
    en: 'The date end_at must be in the future, and after start_at.',
  },
  expires_too_early: { fr: 'La date expires_at doit être dans le futur.', en: 'The date expires_at must be in the future.' },
  // Periods of reports
  period_reversed: { fr: 'La fin to doit suivre le début from.', en: 'The end to must follow the start from.' },
  period_too_long: {
    fr: 'Cette période compte trop de paiements : choisissez-en une plus courte.',
    en: 'This period has too many payments: choose a shorter one.',
  },
  // Products of billers
  product_title: {
    fr: 'Le titre doit être un nom d’une ligne, de 120 caractères au plus, sans caractère invisible ni mélange d’alphabets.',
    en: 'The title must be a name of one line, of 120 characters at most, without invisible characters or mixed alphabets.',
  },
  too_many_packages: { fr: 'Le produit a trop de forfaits.', en: 'The product has too many packages.' },
  too_many_presets: { fr: 'Le produit a trop de montants habituels.', en: 'The product has too many usual amounts.' },
  fulfillment_mode: {
    fr: 'Le champ fulfillment_mode doit être none ou code.',
    en: 'The field fulfillment_mode must be none or code.',
  },
  lookup_integration: {
    fr: 'Le champ lookup_integration doit être webhook ou code.',
    en: 'The field lookup_integration must be webhook or code.',
  },
  lookup_url: {
    fr: 'L’adresse de consultation n’est pas une adresse https complète, sans nom d’utilisateur ni espace.',
    en: 'The lookup address is not a complete https address without user name or blank.',
  },
  lookup_secret: {
    fr: 'Le secret doit être un texte d’une ligne, de 512 caractères au plus.',
    en: 'The secret must be a text of one line, of 512 characters at most.',
  },
  source_code: {
    fr: 'Le code doit être un texte UTF-8 de 64 Kio au plus.',
    en: 'The code must be a UTF-8 text of 64 KiB at most.',
  },
  // Billers
  display_name: {
    fr: 'Le nom affiché doit être une ligne courte, sans caractère invisible ni mélange d’alphabets.',
    en: 'The display name must be a short line, without invisible characters or mixed alphabets.',
  },
  short_desc: {
    fr: 'La description doit être un texte court, sans caractère de contrôle ni de sens de lecture.',
    en: 'The description must be a short text, without control or direction characters.',
  },
  // Addresses, lists, streams
  address: {
    fr: 'Cette adresse n’est pas valide : écrivez-la entière, sans nom d’utilisateur ni espace.',
    en: 'This address is not valid: write it in full, without user name or blank.',
  },
  cursor: { fr: 'Le paramètre cursor n’est pas un curseur de cette liste.', en: 'The parameter cursor is not a cursor of this list.' },
  payment_reference: {
    fr: 'Cette référence de paiement n’existe pas : vérifiez chaque caractère.',
    en: 'This payment reference does not exist: check each character.',
  },
  merchant_id: { fr: 'Aucun marchand n’a cet identifiant.', en: 'No merchant has this id.' },
  last_event_id: {
    fr: 'Le dernier évènement reçu doit être un identifiant de ce flux.',
    en: 'The last event received must be an id of this stream.',
  },
  // Requests
  node_signature: { fr: 'La signature de ce nœud n’est pas valable.', en: 'The signature of this node is not valid.' },
  environment_header: { fr: 'L’en-tête X-Environment doit être live ou test.', en: 'The header X-Environment must be live or test.' },
  too_many_form_fields: { fr: 'Le formulaire a trop de champs.', en: 'The form has too many fields.' },
  boundary: {
    fr: 'L’en-tête Content-Type ne nomme pas de séparateur de parties (boundary) valable.',
    en: 'The header Content-Type names no valid boundary of parts.',
  },
  parts: { fr: 'Les parties du corps de la requête ne sont pas lisibles.', en: 'The parts of the request’s body cannot be read.' },
  too_many_parameters: { fr: 'L’adresse a trop de paramètres.', en: 'The address has too many parameters.' },
  parameter_name: { fr: 'Un nom de paramètre de l’adresse est mal codé.', en: 'The name of a parameter is badly encoded.' },
} as const satisfies Record<string, { readonly fr: string; readonly en: string }>

export type Reason = keyof typeof REASONS

/** Returns the message of a reason, as an ErrorBody has it before its language is chosen. */
export function because(reason: Reason): { readonly message: string } {
  return { message: REASONS[reason].fr }
}
