// The development inbox as a page: text messages, push notifications, e-mails and webhooks, newest first.
import type { InboxEntry } from '../../workers/gateways/inbox.ts'
import type { EmailMessage, Message, WebhookNotice } from '../../workers/gateways/message.ts'
import { type Fragment, type Html, html } from '../html.ts'
import type { Page } from '../layout.ts'
import { devPage } from './dev-page.ts'

export interface InboxView {
  /** Newest first. */
  readonly entries: readonly InboxEntry[]
  readonly lastNumber: number
  /** Maximum number of stored messages. Only the newest are shown. */
  readonly keptMax: number
}

export function inboxPage(view: InboxView): Page {
  const body = html`<div class="inbox" data-inbox="dev/news?after=${view.lastNumber}">
<h1>Courrier sortant</h1>
<p class="hint">Ce que Cauri envoie : SMS, notifications, e-mails et webhooks. Rien n’est gardé après l’arrêt du serveur ; au-delà de ${view.keptMax} messages, les plus anciens disparaissent.</p>
<p class="tools"><a class="button is-small" href="dev">Actualiser</a> <span class="unseen" role="status" data-inbox-news></span></p>
${view.entries.length === 0 ? EMPTY : null}
<ol class="post" data-list reversed aria-label="Messages, du plus récent au plus ancien">
${view.entries.map(entryRow)}
</ol>
</div>`
  return devPage({ title: 'Courrier sortant', root: '', here: 'inbox', body })
}

const EMPTY = html`<section class="card first-steps" data-empty>
<h2>Rien encore</h2>
<ol>
<li>Créez un paiement avec la commande <code>curl</code> que <code>npm start</code> a affichée : la réponse contient un <code>checkout_url</code>.</li>
<li>Ouvrez le <a href="dev/phone">téléphone simulé</a> avec le portefeuille <b>@awa_demo</b>, PIN 2580.</li>
<li>Collez-y l’adresse du paiement et payez : la notification et le webhook arrivent ici.</li>
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
<header>${badge('E-mail')}${environmentBadge(environment)} <span>à <b><bdi>${to}</bdi></b></span> ${clock(created_at)}</header>
<p class="letter-title"><bdi>${subject}</bdi></p>
<p class="letter-text lines"><bdi>${linked(text)}</bdi></p>
</article>`
}

function messageCard({ channel, environment, phone, title, text, created_at }: Message): Html {
  return html`<article class="card letter">
<header>${badge(channel === 'sms' ? 'SMS' : 'Notification')}${environmentBadge(environment)} <span>à <b>${phone}</b></span> ${clock(created_at)}</header>
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
<header>${badge('Webhook')}${environmentBadge(environment)} <span>de <b><bdi>${merchant}</bdi></b></span> ${clock(created_at)}</header>
<p class="letter-title"><code>${type}</code></p>
${url !== null && url !== '' && html`<p class="letter-text">vers <code>${url}</code></p>`}
<p class="result is-${notice.state}">${resultText(notice)}</p>
${body !== '' && html`<details><summary>Contenu signé</summary><pre tabindex="0"><bdi>${indented(body)}</bdi></pre></details>`}
</article>`
}

function resultText({ state, url, attempt, http_status, error, duration_ms, next_attempt_at }: WebhookNotice): Fragment {
  if (url === null) return 'Aucune adresse ne reçoit cet évènement : créez-en une par POST /v1/biz/webhook-endpoints.'
  const result = http_status === null ? `pas de réponse (${error ?? 'inconnu'})` : `HTTP ${http_status}`
  const next = state === 'pending' && next_attempt_at !== null && html`, nouvel essai à ${clock(next_attempt_at)}`
  return html`Essai ${attempt} : ${result}, ${Math.round(duration_ms)} ms${next}${state === 'failed' && ', abandonné'}`
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}

function badge(text: string): Html {
  return html`<span class="badge">${text}</span>`
}

function environmentBadge(environment: 'test' | 'live'): Html {
  return html`<span class="badge is-${environment}">${environment === 'test' ? 'test' : 'production'}</span>`
}

/** Renders the time in UTC, which is the local time of Abidjan and Dakar. */
function clock(rfc3339: string): Html {
  return html`<time datetime="${rfc3339}">${rfc3339.slice(11, 19)}</time>`
}
