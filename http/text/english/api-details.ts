// English of error messages that the API makes at run time: why a value breaks its schema, what is wrong with a node.

import type { Entries } from '../catalogue.ts'
import { ERROR_MESSAGES } from '../error-messages.ts'
import { PAYOUT_FAILURE_MESSAGES } from '../payout-failure-messages.ts'
import { REASON_MESSAGES } from '../reason-messages.ts'

const SUBJECTS: Entries = {
  'Le corps de la requête': 'The body of the request',
  'Le champ {0}': 'The field {0}',
  'Ce champ': 'This field',
  'Le paramètre {0}': 'The parameter {0}',
}

/** Predicates of `schema-messages.ts`. */
const PREDICATES: Entries = {
  'est obligatoire.': 'is required.',
  'doit être un nombre entier.': 'must be a whole number.',
  'doit être un nombre.': 'must be a number.',
  'est trop petit : le minimum est {1}.': 'is too small: the minimum is {1}.',
  'est trop grand : le maximum est {1}.': 'is too large: the maximum is {1}.',
  'doit être true ou false.': 'must be true or false.',
  'doit être une liste.': 'must be a list.',
  'doit être un objet.': 'must be an object.',
  'est trop court : le minimum est de {1} élément.': 'is too short: the minimum is {1} item.',
  'est trop court : le minimum est de {1} éléments.': 'is too short: the minimum is {1} items.',
  'est trop long : le maximum est de {1} élément.': 'is too long: the maximum is {1} item.',
  'est trop long : le maximum est de {1} éléments.': 'is too long: the maximum is {1} items.',
  'est trop court : le minimum est de {1} caractère.': 'is too short: the minimum is {1} character.',
  'est trop court : le minimum est de {1} caractères.': 'is too short: the minimum is {1} characters.',
  'est trop long : le maximum est de {1} caractère.': 'is too long: the maximum is {1} character.',
  'est trop long : le maximum est de {1} caractères.': 'is too long: the maximum is {1} characters.',
  'doit être un texte.': 'must be a text.',
  'n’a pas le format attendu.': 'does not have the expected format.',
  'n’est pas valide.': 'is not valid.',
  'doit être un UUID.': 'must be a UUID.',
  'doit être une adresse e-mail.': 'must be an e-mail address.',
  'doit être une adresse valide.': 'must be a valid address.',
  'doit être une date et une heure au format RFC 3339.': 'must be a date and time as in RFC 3339.',
  'doit être l’une de ces valeurs : {1}.': 'must be one of these values: {1}.',
  'est vide : saisissez au moins une lettre ou un chiffre.': 'is empty: type at least one letter or digit.',
  'contient un caractère invisible, qui n’est pas accepté dans un nom.': 'has an invisible character, which a name may not have.',
  'mélange des alphabets dont les lettres se ressemblent.': 'mixes alphabets whose letters look alike.',
  'contient des caractères qui ne sont pas acceptés.': 'has characters that are not accepted.',
}

/** Messages of single routes. */
const SINGLE: Entries = {
  'Le paramètre {0} est vide : indiquez une valeur, ou retirez-le.': 'The parameter {0} is empty: give a value, or leave it out.',
  ...paired(REASON_MESSAGES.fr, REASON_MESSAGES.en),
  'L’en-tête {0} figure plusieurs fois.': 'The header {0} occurs more than once.',
  'Le paramètre {0} figure plusieurs fois.': 'The parameter {0} occurs more than once.',
  'Le paramètre {0} n’existe pas à cette adresse.': 'The parameter {0} does not exist at this address.',
  'Le paramètre {0} est mal codé.': 'The parameter {0} is badly encoded.',
  'Le champ {0} figure plusieurs fois.': 'The field {0} occurs more than once.',
  'Le champ {0} porte un nom réservé.': 'The field {0} has a reserved name.',
  'Le code de la fonction de consultation contient une erreur : {0}': 'The code of the lookup function has an error: {0}',
  'Le code de la fonction de consultation contient une erreur à la ligne {0} : {1}':
    'The code of the lookup function has an error in line {0}: {1}',
  'Le code de la fonction de livraison contient une erreur : {0}': 'The code of the delivery function has an error: {0}',
  'Le code de la fonction de livraison contient une erreur à la ligne {0} : {1}':
    'The code of the delivery function has an error in line {0}: {1}',
}

/** Pairs the texts without values by their names. */
function paired(french: Readonly<Record<string, unknown>>, english: Readonly<Record<string, unknown>>): Entries {
  return Object.fromEntries(
    Object.entries(french).flatMap(([name, words]) => (typeof words === 'string' ? [[words, String(english[name])]] : [])),
  )
}

/** All messages of the API, by their French text. */
export const API_TEXTS: Entries = {
  ...paired(ERROR_MESSAGES.fr, ERROR_MESSAGES.en),
  ...paired(PAYOUT_FAILURE_MESSAGES.fr, PAYOUT_FAILURE_MESSAGES.en),
  ...Object.fromEntries(
    Object.entries(SUBJECTS).flatMap(([subject, english]) =>
      Object.entries(PREDICATES).map(([predicate, translation]) => [`${subject} ${predicate}`, `${english} ${translation}`]),
    ),
  ),
  ...SINGLE,
}
