// Translates error bodies of the API. A body is made in French, because it may be the stored result of an idempotency key;
// its message is translated when it is sent.
import { Catalogue } from './catalogue.ts'
import { API_TEXTS } from './english/api-details.ts'

const MESSAGES = new Catalogue({ sentences: [API_TEXTS], pages: [] })

/** Returns the ErrorBody with its message in English. A message that a merchant wrote stays as it is. */
export function englishErrorBody(body: string): string {
  const error = JSON.parse(body) as { message?: unknown }
  return typeof error.message === 'string' ? JSON.stringify({ ...error, message: MESSAGES.translated(error.message) }) : body
}
