// Words of the reasons of rejections, in both languages. A reason without its words does not compile.
import type { Because, PlaceReason, Reason, Reasons } from '../../engine/contract/reasons.ts'
import type { Language } from './language.ts'
import { moneyText } from './money.ts'
import { isPlaceReason, schemaSentence } from './schema-messages.ts'
import type { Messages } from './text.ts'

/** The words of a reason, or the function of its values that returns them. */
type Words<Name extends Reason> = Reasons[Name] extends undefined ? string : (values: Reasons[Name]) => string

type CodeError = Reasons['lookup_code_error']

/** Says where code has its error. */
const where = {
  fr: ({ line, error }: CodeError): string => `${line === null ? '' : ` à la ligne ${line}`}\u00a0: ${error}`,
  en: ({ line, error }: CodeError): string => `${line === null ? '' : ` in line ${line}`}: ${error}`,
}

export const REASON_MESSAGES: Messages<{ readonly [Name in Exclude<Reason, PlaceReason>]: Words<Name> }> = {
  fr: {
    // Bills
    quote_not_taken: 'Ce produit ne se paie pas par devis : n’envoyez pas quote_id.',
    quote_required: 'Ce produit se paie par devis : demandez-en un, puis envoyez son quote_id.',
    package_not_taken: 'Ce produit n’a pas de forfaits : n’envoyez pas package_id.',
    package_required: 'Ce produit se paie par forfait : envoyez le package_id choisi.',
    package_amount_differs: 'Le montant n’est pas celui du forfait, qui a peut-être changé.',
    quote_amount_differs: 'Le montant n’est pas celui du devis.',
    // Mandates and payment links
    end_too_early: 'La date end_at doit être dans le futur, et après start_at.',
    expires_too_early: 'La date expires_at doit être dans le futur.',
    // Periods of reports
    provider_required: 'Un compte mobile money demande son provider : orange, wave, mtn, moov, free ou expresso.',
    one_destination: 'Envoyez soit destination, soit withdrawal_account_id.',
    group_or_items: 'Envoyez soit items, soit group.',
    empty_group: 'Aucun contact n’est dans ce groupe. Un groupe se nomme exactement comme il est écrit, majuscules comprises.',
    no_valid_line: 'Aucune ligne de ce versement groupé ne peut être payée.',
    rejection_reason: 'Un refus demande une raison : envoyez {"reason": "…"}.',
    items_or_disbursement: 'Envoyez soit items, soit disbursement_id.',
    sum_above_account: 'La somme des lignes dépasse ce qu’un compte peut contenir.',
    amount_without_group: 'amount va avec group ; dans items, chaque ligne a le sien.',
    period_reversed: 'La fin to doit suivre le début from.',
    biller_of_bill: 'Le facturier se donne avec on=bill, et seulement là.',
    period_too_long: 'Cette période compte trop de paiements : choisissez-en une plus courte.',
    // Products of billers
    product_title: 'Le titre doit être un nom d’une ligne, de 120 caractères au plus, sans caractère invisible ni mélange d’alphabets.',
    too_many_packages: 'Le produit a trop de forfaits.',
    too_many_presets: 'Le produit a trop de montants habituels.',
    fulfillment_mode: 'Le champ fulfillment_mode doit être none ou code.',
    lookup_integration: 'Le champ lookup_integration doit être webhook ou code.',
    lookup_url: 'L’adresse de consultation n’est pas une adresse https complète, sans nom d’utilisateur ni espace.',
    lookup_secret: 'Le secret doit être un texte d’une ligne, de 512 caractères au plus.',
    source_code: 'Le code doit être un texte UTF-8 de 64 Kio au plus.',
    // Billers
    display_name: 'Le nom affiché doit être une ligne courte, sans caractère invisible ni mélange d’alphabets.',
    short_desc: 'La description doit être un texte court, sans caractère de contrôle ni de sens de lecture.',
    // Activation
    activation_file: 'Le fichier doit être un PDF, ou une image PNG ou JPEG.',
    // Addresses, lists, streams
    address: 'Cette adresse n’est pas valide : écrivez-la entière, sans nom d’utilisateur ni espace.',
    cursor: 'Le paramètre cursor n’est pas un curseur de cette liste.',
    currency_not_kept: 'Ce service ne tient pas de comptes dans cette devise.',
    payment_reference: 'Cette référence de paiement n’existe pas : vérifiez chaque caractère.',
    merchant_id: 'Aucun marchand n’a cet identifiant.',
    last_event_id: 'Le dernier évènement reçu doit être un identifiant de ce flux.',
    // Limits and rules of the operator
    name_twice: 'Deux éléments portent ce nom.',
    tier_unknown: 'Aucun palier ne porte ce nom.',
    plan_unknown: 'Aucun plan ne porte ce nom.',
    max_below_min: 'Le maximum est inférieur au minimum.',
    sent_day_left: ({ left, currency }) =>
      `Votre limite de paiement du jour serait dépassée : il vous reste ${moneyText(left, currency, 'fr')}.`,
    sent_month_left: ({ left, currency }) =>
      `Votre limite de paiement du mois serait dépassée : il vous reste ${moneyText(left, currency, 'fr')}.`,
    charge_max_left: ({ left, currency }) => `Le maximum d’une demande de paiement est de ${moneyText(left, currency, 'fr')}.`,
    // Requests
    node_signature: 'La signature de ce nœud n’est pas valable.',
    environment_header: 'L’en-tête X-Environment doit être live ou test.',
    too_many_form_fields: 'Le formulaire a trop de champs.',
    boundary: 'L’en-tête Content-Type ne nomme pas de séparateur de parties (boundary) valable.',
    parts: 'Les parties du corps de la requête ne sont pas lisibles.',
    too_many_parameters: 'L’adresse a trop de paramètres.',
    parameter_name: 'Un nom de paramètre de l’adresse est mal codé.',
    // Requests
    idempotency_key: 'La clé d’idempotence doit comporter de 1 à 255 caractères ASCII imprimables, sans lettre accentuée.',
    repeated_header: ({ name }) => `L’en-tête ${name} figure plusieurs fois.`,
    repeated_parameter: ({ name }) => `Le paramètre ${name} figure plusieurs fois.`,
    unreadable_file: ({ fr }) => fr,
    unknown_parameter: ({ name }) => `Le paramètre ${name} n’existe pas à cette adresse.`,
    empty_parameter: ({ name }) => `Le paramètre ${name} est vide : indiquez une valeur, ou retirez-le.`,
    badly_encoded_parameter: ({ name }) => `Le paramètre ${name} est mal codé.`,
    duplicate_field: ({ name }) => `Le champ ${name} figure plusieurs fois.`,
    reserved_field: ({ name }) => `Le champ ${name} porte un nom réservé.`,
    too_many_values: 'Le corps de la requête comporte trop de valeurs.',
    metadata_too_large: 'Le champ metadata est trop grand : le maximum est de 8 Kio pour toutes les clés et valeurs.',
    // Limits
    unknown_recipients:
      'La limite de destinataires inconnus est atteinte : seuls les destinataires que vous avez déjà payés sont encore acceptés. Veuillez réessayer plus tard.',
    daily_log_volume: 'Le volume de données que ce compte peut enregistrer en un jour est atteint. Veuillez réessayer demain.',
    // Code of merchants
    lookup_code_error: (found) => `Le code de la fonction de consultation contient une erreur${where.fr(found)}`,
    fulfillment_code_error: (found) => `Le code de la fonction de livraison contient une erreur${where.fr(found)}`,
    // Nodes in trouble
    recovering:
      'Le nœud démarre : il relit son journal ou, dans un cluster, le copie de PostgreSQL. Attendez ; la trace « listening » indique la fin.',
    stopping: 'Le nœud s’arrête. Un autre nœud ou son redémarrage prend la suite.',
    disk_full: 'Le disque de DATA_DIR est presque plein : les écritures sont refusées. Libérez de la place ; elles reprennent seules.',
    log_stopped: 'Le journal refuse les écritures après une erreur. La trace donne la cause ; réparez-la, puis redémarrez.',
    lagging: ({ seconds }) =>
      `Le nœud suit le journal avec ${seconds} s de retard (maximum 10 s). Vérifiez qu’il joint PostgreSQL et que son disque suit.`,
    log_unreadable: 'Le journal ne peut pas être lu. Vérifiez le disque de DATA_DIR ; la trace donne l’erreur.',
    append_waits: ({ seconds }) =>
      `Une écriture attend le disque de DATA_DIR depuis ${seconds} s (maximum 2 s). Vérifiez ce disque : rien n’est acquitté entre-temps.`,
    clock_wrong: ({ seconds }) =>
      `L’horloge de cette machine s’écarte de ${seconds} s de celle de PostgreSQL (maximum 10 s) : le nœud ne possède pas le journal. Synchronisez-la.`,
    postgres_away: ({ seconds }) =>
      `PostgreSQL ne répond pas à ce nœud depuis ${seconds} s. Vérifiez ses serveurs et le réseau ; le nœud reprend seul.`,
    postgres_waits: ({ seconds }) =>
      `Une écriture attend PostgreSQL depuis ${seconds} s (maximum 2 s) : son serveur synchrone ne l’a pas confirmée. Vérifiez-le ; les lectures continuent.`,
    owner_unreachable: ({ seconds }) =>
      `Le nœud ne joint pas le propriétaire du journal depuis ${seconds} s : ses écritures échouent. Vérifiez le NODE_URL du propriétaire et le réseau.`,
    secret_rejected: ({ seconds }) =>
      `Le propriétaire du journal refuse les requêtes de ce nœud depuis ${seconds} s. Comparez CLUSTER_SECRET et les NODE_URL des deux nœuds.`,
  },
  en: {
    // Bills
    quote_not_taken: 'This product is not paid by quote: do not send quote_id.',
    quote_required: 'This product is paid by quote: ask for one, then send its quote_id.',
    package_not_taken: 'This product has no packages: do not send package_id.',
    package_required: 'This product is paid by package: send the chosen package_id.',
    package_amount_differs: 'The amount is not the package’s, which may have changed.',
    quote_amount_differs: 'The amount is not the quote’s.',
    // Mandates and payment links
    end_too_early: 'The date end_at must be in the future, and after start_at.',
    expires_too_early: 'The date expires_at must be in the future.',
    // Periods of reports
    provider_required: 'A mobile money account needs its provider: orange, wave, mtn, moov, free or expresso.',
    one_destination: 'Send either destination or withdrawal_account_id.',
    group_or_items: 'Send either items or group.',
    empty_group: 'No contact is in this group. A group is named exactly as it is written, capitals included.',
    no_valid_line: 'No line of this disbursement can be paid.',
    rejection_reason: 'A rejection needs a reason: send {"reason": "…"}.',
    items_or_disbursement: 'Send either items or disbursement_id.',
    sum_above_account: 'The sum of the lines is more than an account can hold.',
    amount_without_group: 'amount goes with group; in items each line has its own.',
    period_reversed: 'The end to must follow the start from.',
    biller_of_bill: 'biller goes with on=bill, and only there.',
    period_too_long: 'This period has too many payments: choose a shorter one.',
    // Products of billers
    product_title: 'The title must be a name of one line, of 120 characters at most, without invisible characters or mixed alphabets.',
    too_many_packages: 'The product has too many packages.',
    too_many_presets: 'The product has too many usual amounts.',
    fulfillment_mode: 'The field fulfillment_mode must be none or code.',
    lookup_integration: 'The field lookup_integration must be webhook or code.',
    lookup_url: 'The lookup address is not a complete https address without user name or blank.',
    lookup_secret: 'The secret must be a text of one line, of 512 characters at most.',
    source_code: 'The code must be a UTF-8 text of 64 KiB at most.',
    // Billers
    display_name: 'The display name must be a short line, without invisible characters or mixed alphabets.',
    short_desc: 'The description must be a short text, without control or direction characters.',
    // Activation
    activation_file: 'The file must be a PDF, or a PNG or JPEG image.',
    // Addresses, lists, streams
    address: 'This address is not valid: write it in full, without user name or blank.',
    cursor: 'The parameter cursor is not a cursor of this list.',
    currency_not_kept: 'This service keeps no accounts in this currency.',
    payment_reference: 'This payment reference does not exist: check each character.',
    merchant_id: 'No merchant has this id.',
    last_event_id: 'The last event received must be an id of this stream.',
    // Limits and rules of the operator
    name_twice: 'Two items have this name.',
    tier_unknown: 'No tier has this name.',
    plan_unknown: 'No plan has this name.',
    max_below_min: 'The maximum is below the minimum.',
    sent_day_left: ({ left, currency }) =>
      `Your limit of payments of the day would be exceeded: ${moneyText(left, currency, 'en')} are left.`,
    sent_month_left: ({ left, currency }) =>
      `Your limit of payments of the month would be exceeded: ${moneyText(left, currency, 'en')} are left.`,
    charge_max_left: ({ left, currency }) => `The maximum of a charge is ${moneyText(left, currency, 'en')}.`,
    // Requests
    node_signature: 'The signature of this node is not valid.',
    environment_header: 'The header X-Environment must be live or test.',
    too_many_form_fields: 'The form has too many fields.',
    boundary: 'The header Content-Type names no valid boundary of parts.',
    parts: 'The parts of the request’s body cannot be read.',
    too_many_parameters: 'The address has too many parameters.',
    parameter_name: 'The name of a parameter is badly encoded.',
    // Requests
    idempotency_key: 'The idempotency key must have 1 to 255 printable ASCII characters, without accents.',
    repeated_header: ({ name }) => `The header ${name} occurs more than once.`,
    repeated_parameter: ({ name }) => `The parameter ${name} occurs more than once.`,
    unreadable_file: ({ en }) => en,
    unknown_parameter: ({ name }) => `The parameter ${name} does not exist at this address.`,
    empty_parameter: ({ name }) => `The parameter ${name} is empty: give a value, or leave it out.`,
    badly_encoded_parameter: ({ name }) => `The parameter ${name} is badly encoded.`,
    duplicate_field: ({ name }) => `The field ${name} occurs more than once.`,
    reserved_field: ({ name }) => `The field ${name} has a reserved name.`,
    too_many_values: 'The body of the request has too many values.',
    metadata_too_large: 'The field metadata is too large: the maximum is 8 KiB for all keys and values.',
    // Limits
    unknown_recipients:
      'The limit of unknown recipients is reached: only recipients that you have paid before are still accepted. Please try again later.',
    daily_log_volume: 'This account has stored the maximum volume of data for one day. Please try again tomorrow.',
    // Code of merchants
    lookup_code_error: (found) => `The code of the lookup function has an error${where.en(found)}`,
    fulfillment_code_error: (found) => `The code of the delivery function has an error${where.en(found)}`,
    // Nodes in trouble
    recovering: 'The node starts: it reads its log or, in a cluster, copies it from PostgreSQL. Wait; the trace “listening” marks the end.',
    stopping: 'The node stops. Another node or its restart takes over.',
    disk_full: 'The disk of DATA_DIR is nearly full: writes are rejected. Free some space; they go on by themselves.',
    log_stopped: 'The log rejects writes after an error. The trace names the cause; mend it, then restart.',
    lagging: ({ seconds }) =>
      `The node follows the log ${seconds} s behind (maximum 10 s). Check that it reaches PostgreSQL and that its disk is fast enough.`,
    log_unreadable: 'The log cannot be read. Check the disk of DATA_DIR; the trace names the error.',
    append_waits: ({ seconds }) =>
      `A write has waited for the disk of DATA_DIR for ${seconds} s (maximum 2 s). Check this disk: nothing is acknowledged meanwhile.`,
    clock_wrong: ({ seconds }) =>
      `The clock of this machine differs from PostgreSQL’s by ${seconds} s (maximum 10 s): the node does not own the log. Synchronize it.`,
    postgres_away: ({ seconds }) =>
      `PostgreSQL has not answered this node for ${seconds} s. Check its servers and the network; the node goes on by itself.`,
    postgres_waits: ({ seconds }) =>
      `A write has waited for PostgreSQL for ${seconds} s (maximum 2 s): its synchronous server has not confirmed it. Check it; reads go on.`,
    owner_unreachable: ({ seconds }) =>
      `The node has not reached the owner of the log for ${seconds} s: its writes fail. Check NODE_URL of the owner and the network.`,
    secret_rejected: ({ seconds }) =>
      `The owner of the log has rejected requests of this node for ${seconds} s. Compare CLUSTER_SECRET and NODE_URL of both nodes.`,
  },
}

/** Returns the sentence of a reason. */
export function reasonSentence(language: Language, { reason, values }: Because): string {
  if (isPlaceReason(reason)) {
    const place = values as Reasons[PlaceReason]
    return schemaSentence(language, reason, place.noun, place)
  }
  const words = REASON_MESSAGES[language][reason] as string | ((values: Because['values']) => string)
  return typeof words === 'string' ? words : words(values)
}
