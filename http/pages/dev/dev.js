// What the pages for development do by themselves: new messages appear, the phone shows events of its stream. Parts are taken out
// of the page asked for anew, so that there is one way to show them. Without it the pages work all the same.

const GAP_MS = 300
const EVENTS_SHOWN_MAX = 30
const TICKET_AGAIN_MS = 3000

const inbox = document.querySelector('[data-inbox]')
const phone = document.querySelector('[data-phone]')
if (inbox !== null) watchInbox(inbox)
if (phone !== null) watchPhone(phone)

/** The page as the server has it now. An XMLHttpRequest parses it without running anything in it. */
function freshPage() {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    request.responseType = 'document'
    request.onload = () => resolve(request.status === 200 ? request.response : null)
    request.onerror = () => resolve(null)
    request.send()
  })
}

/** Runs `show` with the fresh page after news; once for all news that come close together. */
function refresher(show) {
  let isUnderWay = false
  let hasNews = false
  const run = async () => {
    hasNews = true
    if (isUnderWay) return
    isUnderWay = true
    while (hasNews) {
      hasNews = false
      const page = await freshPage()
      if (page !== null) show(page)
      await new Promise((resolve) => setTimeout(resolve, GAP_MS))
    }
    isUnderWay = false
  }
  return run
}

function watchInbox(element) {
  const list = element.querySelector('[data-list]')
  const news = element.querySelector('[data-inbox-news]')
  const show = (page) => {
    const fresh = [...page.querySelectorAll('[data-list] > li')]
    const added = fresh.filter((row) => document.getElementById(row.id) === null)
    // What is there keeps its place and what is open in it; what is gone from the page goes here too.
    const ids = new Set(fresh.map((row) => row.id))
    for (const row of [...list.children]) if (!ids.has(row.id)) row.remove()
    list.prepend(...added.map((row) => document.adoptNode(row)))
    if (fresh.length > 0) document.querySelector('[data-empty]')?.remove()
    if (added.length > 0) news.textContent = added.length === 1 ? 'Un nouveau message.' : `${added.length} nouveaux messages.`
  }
  const stream = new EventSource(element.dataset.inbox)
  stream.addEventListener('news', refresher(show))
}

const EVENT_TEXTS = {
  'payment.received': ({ amount, currency, counterparty }) =>
    `${amountText(amount, currency)} reçus${counterparty === null ? '' : ` de ${counterparty}`}`,
  'payment.sent': ({ amount, currency, counterparty }) =>
    `${amountText(amount, currency)} envoyés${counterparty === null ? '' : ` à ${counterparty}`}`,
  'balance.updated': ({ balance, currency }) => `nouveau solde ${amountText(balance, currency)}`,
  'charge.updated': ({ amount, currency, merchant_name, state }) =>
    `paiement de ${amountText(amount, currency)} à ${merchant_name} : ${state}`,
  'device.added': ({ name }) => name,
  'session.revoked': ({ name }) => name,
}

/** Amounts come in the smallest unit. */
function amountText(amount, currency) {
  const format = new Intl.NumberFormat('fr-FR', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits)
}

function watchPhone(element) {
  const events = element.querySelector('[data-events]')
  const state = element.querySelector('[data-stream-state]')
  const refresh = refresher((page) => {
    for (const part of element.querySelectorAll('[data-live]')) {
      const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`)
      if (fresh !== null) part.replaceWith(document.adoptNode(fresh))
    }
  })
  let lastId = ''
  const hear = (message) => {
    lastId = message.lastEventId
    const { type, created_at, data } = JSON.parse(message.data)
    const row = document.createElement('li')
    const name = document.createElement('code')
    const time = document.createElement('time')
    name.textContent = type
    time.textContent = created_at.slice(11, 19)
    row.append(time, ' ', name, ' ', EVENT_TEXTS[type]?.(data) ?? '')
    events.prepend(row)
    while (events.children.length > EVENTS_SHOWN_MAX) events.lastElementChild.remove()
    void refresh()
  }
  const listen = async () => {
    try {
      const answer = await fetch('phone/ticket', { method: 'POST', cache: 'no-store' })
      if (answer.status !== 201) return location.reload()
      const { ticket } = await answer.json()
      const query = new URLSearchParams({ ticket })
      if (lastId !== '') query.set('last_event_id', lastId)
      const stream = new EventSource(`${element.dataset.phone}?${query}`)
      for (const type of [...Object.keys(EVENT_TEXTS), 'bill.paid', 'limit.near', 'mandate.requested', 'stream.reset'])
        stream.addEventListener(type, hear)
      stream.onopen = () => {
        state.textContent = 'Le direct est ouvert.'
        element.dataset.listening = 'yes'
      }
      // A ticket is good once: the browser's own retry would be refused.
      stream.onerror = () => {
        stream.close()
        delete element.dataset.listening
        setTimeout(listen, TICKET_AGAIN_MS)
      }
    } catch {
      // No network for the moment: later again.
      setTimeout(listen, TICKET_AGAIN_MS)
    }
  }
  void listen()
}
