// Shared parts of the development pages: stylesheet, script and navigation.

import type { Text } from '../../text/text.ts'
import { type Html, html, type Title } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { DEV_WORDS } from './dev-words.ts'

export interface DevView {
  readonly title: Title
  readonly root: string
  readonly here: 'start' | 'inbox' | 'phone'
  readonly body: Html
}

export function devPage({ root, here, body, ...shown }: DevView): Page {
  const title = shown.title
  const link = (place: DevView['here'], path: string, name: Text | string): Html =>
    html`<a href="${root}${path}"${place === here && html` aria-current="page"`}>${name}</a>`
  const bar = html`<nav class="places" aria-label="${DEV_WORDS.development}">${link('inbox', 'dev', DEV_WORDS.inbox)}${link('phone', 'dev/phone', WORDS.phone)}</nav>`
  return { title, root, bar, look: 'dev/dev.css', script: 'dev/dev.js', body }
}
