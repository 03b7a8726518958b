// The development inbox as a page: text messages, push notifications, e-mails and webhooks, newest first.

import type { Text } from '../../text/text.ts'
import type { InboxEntry } from '../../workers/gateways/inbox.ts'
import type { EmailMessage, Message, WebhookNotice } from '../../workers/gateways/message.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import type { Page } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { devPage } from './dev-page.ts'
import { TEXTS } from './inbox-page-messages.ts'

export interface InboxView {
  /** Newest first. */
  readonly entries: readonly InboxEntry[]
  readonly lastNumber: number
  /** Maximum number of stored messages. Only the newest are shown. */
  readonly keptMax: number
}

export function inboxPage(view: InboxView): Page {
  const body = html`<div class="inbox" data-inbox="dev/news?after=${view.lastNumber}">
<h1>${TEXTS.outgoingMessages}</h1>
<p class="hint">${TEXTS.whatCauriSendsSmsNotifications(view.keptMax)}</p>
<p class="tools"><a class="button is-small" href="dev">${WORDS.reload}</a> <span class="unseen" role="status" data-inbox-news></span></p>
${view.entries.length === 0 ? EMPTY : null}
<ol class="post" data-list reversed aria-label="${TEXTS.messagesNewestFirst}">
${view.entries.map(entryRow)}
</ol>
</div>`
  return devPage({ title: TEXTS.outgoingMessages, root: '', here: 'inbox', body })
}

const EMPTY = html`<section class="card first-steps" data-empty>
<h2>${TEXTS.nothingYet}</h2>
<ol>
<li>${TEXTS.createPaymentWithCurlCommand}</li>
<li>${TEXTS.openSimulatedPhoneWithWallet}</li>
<li>${TEXTS.pasteAddressPaymentThereAnd}</li>
</ol>
</section>`

function entryRow({ number, item }: InboxEntry): Html {
  return html`<li id="m-${number}">${cardOf(item)}</li>`
}

function cardOf(item: InboxEntry['item']): Html {
  if (item.channel === 'webhook') return webhookCard(item)
  return item.channel === 'email' ? emailCard(item) : messageCard(item)
}

function emailCard({ environment, to, subject, text, created_at }: EmailMessage): Html {
  return html`<article class="card letter">
<header>${badge('E-mail')}${environmentBadge(environment)} <span>${TEXTS.to(to)}</span> ${clock(created_at)}</header>
<p class="letter-title"><bdi>${subject}</bdi></p>
<p class="letter-text lines"><bdi>${linked(text)}</bdi></p>
</article>`
}

function messageCard({ channel, environment, phone, title, text, created_at }: Message): Html {
  return html`<article class="card letter">
<header>${badge(channel === 'sms' ? 'SMS' : TEXTS.notification)}${environmentBadge(environment)} <span>${TEXTS.to2(phone)}</span> ${clock(created_at)}</header>
${title !== '' && html`<p class="letter-title"><bdi>${title}</bdi></p>`}
<p class="letter-text"><bdi>${linked(text)}</bdi></p>
</article>`
}

/** Matches an address up to the punctuation that ends its sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/

/** Renders a text whose addresses are links, as a mail program shows it. */
function linked(text: string): Fragment {
  return text.split(ADDRESS).map((part, index) => (index % 2 === 0 ? part : html`<a href="${part}" rel="noreferrer">${part}</a>`))
}

function webhookCard(notice: WebhookNotice): Html {
  const { environment, merchant, type, url, created_at, body } = notice
  return html`<article class="card letter">
<header>${badge(TEXTS.webhook)}${environmentBadge(environment)} <span>${TEXTS.from(merchant)}</span> ${clock(created_at)}</header>
<p class="letter-title"><code>${type}</code></p>
${url !== null && url !== '' && html`<p class="letter-text">${TEXTS.to3(url)}</p>`}
<p class="result is-${notice.state}">${resultText(notice)}</p>
${body !== '' && html`<details><summary>${TEXTS.signedContent}</summary><pre tabindex="0"><bdi>${indented(body)}</bdi></pre></details>`}
</article>`
}

function resultText({ state, url, attempt, http_status, error, duration_ms, next_attempt_at }: WebhookNotice): Fragment {
  if (url === null) return TEXTS.noEndpointReceivesEventCreate
  const result = http_status === null ? TEXTS.noAnswer(error ?? TEXTS.unknownError) : `HTTP ${http_status}`
  const next = state === 'pending' && next_attempt_at !== null && html`${TEXTS.nextAttemptAt(clock(next_attempt_at))}`
  return html`${TEXTS.attemptMs(attempt, result, Math.round(duration_ms), next, state === 'failed' && TEXTS.givenUp)}`
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}

function badge(text: Text | string): Html {
  return html`<span class="badge">${text}</span>`
}

function environmentBadge(environment: 'test' | 'live'): Html {
  return html`<span class="badge is-${environment}">${environment === 'test' ? 'test' : WORDS.production2}</span>`
}

/** Renders the time in UTC, which is the local time of Abidjan and Dakar. */
function clock(rfc3339: string): Html {
  return html`<time datetime="${rfc3339}">${rfc3339.slice(11, 19)}</time>`
}
