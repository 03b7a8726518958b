// French words of the reference that belong to no route.

/** French words that stand beside the fields of a route. */
export const FRENCH_WORDS: Readonly<Record<string, string>> = {
  Parameters: 'Paramètres',
  Body: 'Corps',
  required: 'obligatoire',
  path: 'chemin',
  query: 'paramètre d’adresse',
  header: 'en-tête',
}
