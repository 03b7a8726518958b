// A form schema as a customer would see it, for its author's eyes: nothing here can be sent. It judges nothing; what it
// cannot show it leaves out.
import { type Fragment, type Html, html } from '../html.ts'

const SHOWN_MAX = 100

type Unknown = Readonly<Record<string, unknown>>

export function formPreview(schema: unknown): Fragment {
  const steps = listOf(recordOf(schema).steps)
  if (steps.length === 0) return html`<p class="hint">Rien à montrer : le formulaire n’est pas (encore) un objet JSON avec des étapes.</p>`
  return steps.slice(0, SHOWN_MAX).map((step, index) => {
    const { title, fields } = recordOf(step)
    return html`<div class="step"><p><b>${textOf(title) || `Étape ${index + 1}`}</b></p>${listOf(fields).slice(0, SHOWN_MAX).map(field)}</div>`
  })
}

function field(given: unknown): Html {
  const { label, type, required, placeholder, help, options } = recordOf(given)
  const input =
    type === 'select'
      ? html`<select disabled>${listOf(options)
          .slice(0, SHOWN_MAX)
          .map((option) => html`<option>${textOf(recordOf(option).label)}</option>`)}</select>`
      : html`<input disabled placeholder="${textOf(placeholder)}">`
  return html`<label class="field"><span>${textOf(label) || '(sans nom)'}${required === true && ' *'}</span>${input}${textOf(help) !== '' && html`<span class="hint">${textOf(help)}</span>`}</label>`
}

function recordOf(value: unknown): Unknown {
  return typeof value === 'object' && value !== null ? (value as Unknown) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
