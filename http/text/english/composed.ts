// English of texts that are made of parts at run time, and of single words that no other file shows as a text.
import type { Entries } from '../catalogue.ts'
import { GLOSSARY } from '../glossary.ts'

export const COMPOSED_TEXTS: Entries = {
  ...Object.fromEntries(GLOSSARY.map(({ french, english }) => [french, english])),
  '{0} par semaine': '{0} a week',
  '{0} par mois': '{0} a month',
  '{0} par an': '{0} a year',
  'jusqu’à {0} par semaine': 'up to {0} a week',
  'jusqu’à {0} par mois': 'up to {0} a month',
  'jusqu’à {0} par an': 'up to {0} a year',
  'jusqu’à {0} à chaque demande': 'up to {0} at each request',
  essai: 'attempt',
  essais: 'attempts',
}
