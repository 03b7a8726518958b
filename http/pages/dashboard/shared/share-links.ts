// Ways to pass a text on: WhatsApp, SMS, and a button that copies. The links need no script; the button needs one, so it is hidden
// without it, and its text can be selected.

import { isPhone } from '../../../../engine/kernel/recipient.ts'
import type { Text } from '../../../text/text.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'

const TEXTS = texts({
  fr: {
    sendByWhatsApp: 'Envoyer par WhatsApp',
    sendBySms: 'Envoyer par SMS',
    copy: (value: string) => `Copier ${value}`,
    textCopied: 'Le texte est copié.',
    textSelectedCopyIt: 'Le texte est sélectionné : copiez-le.',
  },
  en: {
    sendByWhatsApp: 'Send by WhatsApp',
    sendBySms: 'Send by SMS',
    copy: (value) => `Copy ${value}`,
    textCopied: 'The text is copied.',
    textSelectedCopyIt: 'The text is selected: copy it.',
  },
})

/** Renders the links that open WhatsApp and the SMS app with a text. `phone` is the receiver, when it is known. */
export function shareLinks(text: string, phone = ''): Html {
  const words = encodeURIComponent(text)
  const to = isPhone(phone) ? phone : ''
  return html`<a class="button quiet" href="https://wa.me/${to.replace('+', '')}?text=${words}" rel="noreferrer">${TEXTS.sendByWhatsApp}</a>
<a class="button quiet" href="sms:${to}?body=${words}">${TEXTS.sendBySms}</a>`
}

/** Renders a text with a button that copies it. `id` is unique in the page. */
export function copyable(id: string, text: string): Html {
  return html`<span class="copy"><bdi id="${id}">${text}</bdi><button class="quiet small" type="button" data-copy="${id}" data-done-text="${WORDS.copied}" aria-label="${TEXTS.copy(text)}" hidden>${WORDS.copy}</button></span>`
}

/** Where the script says that it has copied. Every page with such a button has one. */
export const COPIED = html`<p class="unseen" role="status" data-copied data-copied-text="${TEXTS.textCopied}" data-selected-text="${TEXTS.textSelectedCopyIt}"></p>`

/** Renders an address in a field that selects as a whole, and its button. */
export function addressField(id: string, label: Text | string, address: string): Html {
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" value="${address}" readonly></div>`
}

/** Renders the button that copies a field. */
export function copyButton(id: string, words: Text | string): Html {
  return html`<button class="quiet" type="button" data-copy="${id}" data-done-text="${WORDS.copied}" hidden>${words}</button>`
}
