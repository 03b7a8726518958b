// English of error messages that the API makes at run time: why a value breaks its schema, what is wrong with a node.

import { ENGLISH_ERRORS, ENGLISH_PAYOUT_FAILURES } from '../../../engine/contract/english-errors.ts'
import { ERRORS, type ErrorCode, PAYOUT_FAILURES, type PayoutFailureCode } from '../../../engine/contract/errors.ts'
import { REASONS } from '../../../engine/contract/reasons.ts'
import type { Entries } from '../catalogue.ts'

const SUBJECTS: Entries = {
  'Le corps de la requête': 'The body of the request',
  'Le champ {0}': 'The field {0}',
  'Ce champ': 'This field',
  'Le paramètre {0}': 'The parameter {0}',
}

/** Predicates of `validation-text.ts`. */
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
  ...Object.fromEntries(Object.values(REASONS).map(({ fr, en }) => [fr, en])),
  'L’en-tête {0} figure plusieurs fois.': 'The header {0} occurs more than once.',
  'Le paramètre {0} figure plusieurs fois.': 'The parameter {0} occurs more than once.',
  'Le paramètre {0} n’existe pas à cette adresse.': 'The parameter {0} does not exist at this address.',
  'Le paramètre {0} est mal codé.': 'The parameter {0} is badly encoded.',
  'Le champ {0} figure plusieurs fois.': 'The field {0} occurs more than once.',
  'Le champ {0} porte un nom réservé.': 'The field {0} has a reserved name.',
  'Le corps de la requête comporte trop de valeurs.': 'The body of the request has too many values.',
  'La clé d’idempotence doit comporter de 1 à 255 caractères ASCII imprimables, sans lettre accentuée.':
    'The idempotency key must have 1 to 255 printable ASCII characters, without accents.',
  'Le champ metadata est trop grand : le maximum est de 8 Kio pour toutes les clés et valeurs.':
    'The field metadata is too large: the maximum is 8 KiB for all keys and values.',
  'La limite de destinataires inconnus est atteinte : seuls les destinataires que vous avez déjà payés sont encore acceptés. Veuillez réessayer plus tard.':
    'The limit of unknown recipients is reached: only recipients that you have paid before are still accepted. Please try again later.',
  'Le volume de données que ce compte peut enregistrer en un jour est atteint. Veuillez réessayer demain.':
    'This account has stored the maximum volume of data for one day. Please try again tomorrow.',
  'Le code de la fonction de consultation contient une erreur : {0}': 'The code of the lookup function has an error: {0}',
  'Le code de la fonction de consultation contient une erreur à la ligne {0} : {1}':
    'The code of the lookup function has an error in line {0}: {1}',
  'Le code de la fonction de livraison contient une erreur : {0}': 'The code of the delivery function has an error: {0}',
  'Le code de la fonction de livraison contient une erreur à la ligne {0} : {1}':
    'The code of the delivery function has an error in line {0}: {1}',
}

/** Reasons of `/healthz`. */
const HEALTH: Entries = {
  'Le nœud démarre : il relit son journal ou, dans un cluster, le copie de PostgreSQL. Attendez ; la trace « listening » indique la fin.':
    'The node starts: it reads its log or, in a cluster, copies it from PostgreSQL. Wait; the trace “listening” marks the end.',
  'Le nœud s’arrête. Un autre nœud ou son redémarrage prend la suite.': 'The node stops. Another node or its restart takes over.',
  'Le disque de DATA_DIR est presque plein : les écritures sont refusées. Libérez de la place ; elles reprennent seules.':
    'The disk of DATA_DIR is nearly full: writes are rejected. Free some space; they go on by themselves.',
  'Le journal refuse les écritures après une erreur. La trace donne la cause ; réparez-la, puis redémarrez.':
    'The log rejects writes after an error. The trace names the cause; mend it, then restart.',
  'Le nœud suit le journal avec {0} s de retard (maximum 10 s). Vérifiez qu’il joint PostgreSQL et que son disque suit.':
    'The node follows the log {0} s behind (maximum 10 s). Check that it reaches PostgreSQL and that its disk is fast enough.',
  'Le journal ne peut pas être lu. Vérifiez le disque de DATA_DIR ; la trace donne l’erreur.':
    'The log cannot be read. Check the disk of DATA_DIR; the trace names the error.',
  'Une écriture attend le journal depuis {0} s (maximum 2 s). Vérifiez le disque ou, avec WAL=postgres, PostgreSQL et son serveur synchrone.':
    'A write has waited for the log for {0} s (maximum 2 s). Check the disk or, with WAL=postgres, PostgreSQL and its synchronous server.',
}

/** All messages of the API, by their French text. */
export const API_TEXTS: Entries = {
  ...Object.fromEntries(Object.keys(ERRORS).map((code) => [ERRORS[code as ErrorCode].message, ENGLISH_ERRORS[code as ErrorCode]])),
  ...Object.fromEntries(
    Object.keys(PAYOUT_FAILURES).map((code) => [
      PAYOUT_FAILURES[code as PayoutFailureCode],
      ENGLISH_PAYOUT_FAILURES[code as PayoutFailureCode],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SUBJECTS).flatMap(([subject, english]) =>
      Object.entries(PREDICATES).map(([predicate, translation]) => [`${subject} ${predicate}`, `${english} ${translation}`]),
    ),
  ),
  ...SINGLE,
  ...HEALTH,
}
