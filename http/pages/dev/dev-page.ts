// Shared parts of the development pages: stylesheet, script and navigation.
import { type Html, html } from '../html.ts'
import type { Page } from '../layout.ts'

export interface DevView {
  readonly title: string
  readonly root: string
  readonly here: 'start' | 'inbox' | 'phone'
  readonly body: Html
}

export function devPage({ title, root, here, body }: DevView): Page {
  const link = (place: DevView['here'], path: string, name: string): Html =>
    html`<a href="${root}${path}"${place === here && html` aria-current="page"`}>${name}</a>`
  const bar = html`<nav class="places" aria-label="Développement">${link('inbox', 'dev', 'Courrier')}${link('phone', 'dev/phone', 'Téléphone')}</nav>`
  return { title, root, bar, look: 'dev/dev.css', script: 'dev/dev.js', body }
}
