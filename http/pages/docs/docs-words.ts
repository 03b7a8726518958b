// Words that several pages of the docs share, in both languages.
import { texts } from '../shared/texts.ts'

export const DOCS_WORDS = texts({
  fr: {
    apiReference: 'Référence de l’API',
    errorCodes: 'Codes d’erreur',
  },
  en: {
    apiReference: 'API reference',
    errorCodes: 'Error codes',
  },
})
