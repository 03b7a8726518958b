// Words for a value that breaks its schema, in both languages: a subject, which is the value's place, and a predicate.
import type { PlaceReason, Reasons } from '../../engine/contract/reasons.ts'
import type { Language } from './language.ts'
import type { Messages } from './text.ts'

type Values<Name extends PlaceReason> = Omit<Reasons[Name], 'noun' | 'path'>

/** The predicate of a sentence, or the function of the values that returns it. */
type Predicate<Name extends PlaceReason> = keyof Values<Name> extends never ? string : (values: Values<Name>) => string

const DIGITS = { fr: new Intl.NumberFormat('fr-FR'), en: new Intl.NumberFormat('en-GB') }

const PREDICATES: Messages<{ readonly [Name in PlaceReason]: Predicate<Name> }> = {
  fr: {
    invalid_value: 'n’est pas valide.',
    missing: 'est obligatoire.',
    not_integer: 'doit être un nombre entier.',
    not_number: 'doit être un nombre.',
    below_minimum: ({ bound }) => `est trop petit : le minimum est ${DIGITS.fr.format(bound)}.`,
    above_maximum: ({ bound }) => `est trop grand : le maximum est ${DIGITS.fr.format(bound)}.`,
    not_boolean: 'doit être true ou false.',
    not_list: 'doit être une liste.',
    too_few_items: ({ bound }) => `est trop court : le minimum est de ${counted('fr', bound, 'élément')}.`,
    too_many_items: ({ bound }) => `est trop long : le maximum est de ${counted('fr', bound, 'élément')}.`,
    not_object: 'doit être un objet.',
    not_text: 'doit être un texte.',
    too_short: ({ bound }) => `est trop court : le minimum est de ${counted('fr', bound, 'caractère')}.`,
    too_long: ({ bound }) => `est trop long : le maximum est de ${counted('fr', bound, 'caractère')}.`,
    wrong_format: 'n’a pas le format attendu.',
    not_uuid: 'doit être un UUID.',
    not_email: 'doit être une adresse e-mail.',
    not_uri: 'doit être une adresse valide.',
    not_time: 'doit être une date et une heure au format RFC 3339.',
    not_one_of: ({ choices }) => `doit être l’une de ces valeurs : ${choices}.`,
    bad_characters: 'contient des caractères qui ne sont pas acceptés.',
    invisible_name: 'est vide : saisissez au moins une lettre ou un chiffre.',
    hidden_character: 'contient un caractère invisible, qui n’est pas accepté dans un nom.',
    mixed_alphabets: 'mélange des alphabets dont les lettres se ressemblent.',
  },
  en: {
    invalid_value: 'is not valid.',
    missing: 'is required.',
    not_integer: 'must be a whole number.',
    not_number: 'must be a number.',
    below_minimum: ({ bound }) => `is too small: the minimum is ${DIGITS.en.format(bound)}.`,
    above_maximum: ({ bound }) => `is too large: the maximum is ${DIGITS.en.format(bound)}.`,
    not_boolean: 'must be true or false.',
    not_list: 'must be a list.',
    too_few_items: ({ bound }) => `is too short: the minimum is ${counted('en', bound, 'item')}.`,
    too_many_items: ({ bound }) => `is too long: the maximum is ${counted('en', bound, 'item')}.`,
    not_object: 'must be an object.',
    not_text: 'must be a text.',
    too_short: ({ bound }) => `is too short: the minimum is ${counted('en', bound, 'character')}.`,
    too_long: ({ bound }) => `is too long: the maximum is ${counted('en', bound, 'character')}.`,
    wrong_format: 'does not have the expected format.',
    not_uuid: 'must be a UUID.',
    not_email: 'must be an e-mail address.',
    not_uri: 'must be a valid address.',
    not_time: 'must be a date and time as in RFC 3339.',
    not_one_of: ({ choices }) => `must be one of these values: ${choices}.`,
    bad_characters: 'has characters that are not accepted.',
    invisible_name: 'is empty: type at least one letter or digit.',
    hidden_character: 'has an invisible character, which a name may not have.',
    mixed_alphabets: 'mixes alphabets whose letters look alike.',
  },
}

function counted(language: Language, count: number, noun: string): string {
  return `${DIGITS[language].format(count)} ${noun}${count > 1 ? 's' : ''}`
}

type PlaceNoun = Reasons['missing']['noun'] | 'this field'

/** Returns the subject of the sentence. A page says `this field` beside a field: its reader does not know the field's name in the API. */
const SUBJECTS: Messages<Readonly<Record<PlaceNoun, (path: string) => string>> & { readonly body: string }> = {
  fr: {
    field: (path) => `Le champ ${path}`,
    parameter: (path) => `Le paramètre ${path}`,
    'this field': () => 'Ce champ',
    body: 'Le corps de la requête',
  },
  en: {
    field: (path) => `The field ${path}`,
    parameter: (path) => `The parameter ${path}`,
    'this field': () => 'This field',
    body: 'The body of the request',
  },
}

export function isPlaceReason(reason: string): reason is PlaceReason {
  return Object.hasOwn(PREDICATES.fr, reason)
}

/** Returns one sentence. */
export function schemaSentence(language: Language, reason: PlaceReason, noun: PlaceNoun, values: Reasons[PlaceReason]): string {
  const predicate = PREDICATES[language][reason] as string | ((values: Reasons[PlaceReason]) => string)
  const subject = values.path === '' ? SUBJECTS[language].body : SUBJECTS[language][noun](values.path)
  return `${subject} ${typeof predicate === 'string' ? predicate : predicate(values)}`
}
