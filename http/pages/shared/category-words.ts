// Names of the categories of billers, in both languages. The French ones are those of the API.
import { CATEGORIES } from '../../../engine/contract/biller.ts'
import type { Text } from '../../text/text.ts'
import { texts } from './texts.ts'

type Slug = (typeof CATEGORIES)[number]['slug']

const CATEGORY_WORDS: Readonly<Record<Slug, Text>> = texts({
  fr: {
    electricity: 'Électricité',
    water: 'Eau',
    telecom: 'Téléphonie',
    internet: 'Internet',
    tv: 'Télévision',
    education: 'Éducation',
    insurance: 'Assurance',
    taxes: 'Impôts et taxes',
    transport: 'Transport',
    health: 'Santé',
    loans: 'Crédit',
    housing: 'Logement',
    donations: 'Dons',
    subscriptions: 'Abonnements',
    other: 'Autres',
  },
  en: {
    electricity: 'Electricity',
    water: 'Water',
    telecom: 'Telephone',
    internet: 'Internet',
    tv: 'Television',
    education: 'Education',
    insurance: 'Insurance',
    taxes: 'Taxes',
    transport: 'Transport',
    health: 'Health',
    loans: 'Credit',
    housing: 'Housing',
    donations: 'Donations',
    subscriptions: 'Subscriptions',
    other: 'Other',
  },
})

/** The categories, in the order of the API. */
export const CATEGORY_CHOICES = CATEGORIES.map(({ slug }) => ({ value: slug, words: CATEGORY_WORDS[slug] }))

/** Returns the name of a category; of an unknown one its slug. */
export function categoryName(slug: string): Text | string {
  return Object.hasOwn(CATEGORY_WORDS, slug) ? CATEGORY_WORDS[slug as Slug] : slug
}
