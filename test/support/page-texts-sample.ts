// Texts for the test of `page-texts.ts`.
import { html } from '../../http/pages/shared/html.ts'
import { texts } from '../../http/pages/shared/texts.ts'

export const TEXTS = texts({ fr: { hello: (name: string) => `Bonjour ${name}` }, en: { hello: (name) => `Hello ${name}` } })
const outside = 'Dehors'
export const SAMPLE = html`<button title="Aide">Envoyer ${outside} <code>amount</code></button>`
