// Shared parts of the development pages: stylesheet, script and navigation.
import { type Html, html, type Title, titleOf, type WithTitling } from '../html.ts'
import type { Page } from '../layout.ts'

export interface DevView {
  readonly title: Title
  readonly root: string
  readonly here: 'start' | 'inbox' | 'phone'
  readonly body: Html
}

export function devPage<Text extends string>({ root, here, body, ...shown }: WithTitling<DevView, Text>): Page {
  const title = titleOf<Text>(shown.title)
  const link = (place: DevView['here'], path: string, name: string): Html =>
    html`<a href="${root}${path}"${place === here && html` aria-current="page"`}>${name}</a>`
  const bar = html`<nav class="places" aria-label="Développement">${link('inbox', 'dev', 'Courrier')}${link('phone', 'dev/phone', 'Téléphone')}</nav>`
  return { title, root, bar, look: 'dev/dev.css', script: 'dev/dev.js', body }
}
