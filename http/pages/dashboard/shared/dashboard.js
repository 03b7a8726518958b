// Script of the dashboard's pages: one click sends a form once, a product is edited without reloads, lists and
// records follow the merchant's events. Without it the pages work all the same.

/** Time between an event and the request for the page, so that events of one record cause one request. */
const NEWS_AFTER_MS = 300
/** Minimum time between two requests for the page. */
const NEWS_EVERY_MS = 3000
/** First and last delay before the stream is opened again. Each failure doubles it. */
const [RETRY_FIRST_MS, RETRY_MOST_MS] = [2000, 120_000]
/** How long a button says that it has copied. */
const COPIED_SHOWN_MS = 2000
/** A stream that lasted this long is no failure: the next delay is the first again. */
const STEADY_MS = 30_000
/** Pitch and beginning of each tone of a payment. */
const PAID_TONES = [
  [660, 0],
  [990, 0.18],
]
/** Of a logo that the page sends. */
const [LOGO_SIDE_PX, LOGO_BYTES_MAX] = [256, 32_768]
/** Of a JPEG, where a PNG is too large: the first that is small enough. */
const LOGO_QUALITIES = [0.85, 0.6, 0.3, 0.1]
const TONE_S = 0.35
const PAID_VIBRATION_MS = 300

guardForms()
for (const form of document.querySelectorAll('form.product')) editWithoutReload(form)
for (const button of document.querySelectorAll('[data-print]')) offer(button, () => print())
for (const content of document.querySelectorAll('[data-news]')) followNews(content)
offerCopies(document)
for (const field of document.querySelectorAll('[data-filter]')) filterOperations(field)
for (const pad of document.querySelectorAll('[data-pad]')) typeByPad(pad)
for (const input of document.querySelectorAll('[data-logo]')) fitLogo(input)
const playPaid = paidSound()
for (const button of document.querySelectorAll('[data-sound]')) offer(button, playPaid)
for (const place of document.querySelectorAll('[data-awaits-payment]')) soundPayment(place)

/** Makes a square of at most 256 pixels of any image, which the server takes: owners have photos. Metadata such as places is gone. */
function fitLogo(input) {
  const [hint, canvas] = [input.previousElementSibling, input.nextElementSibling]
  hint.textContent = input.dataset.logo
  input.accept = 'image/*'
  input.addEventListener('change', async () => {
    const [file] = input.files
    const image = file && (await createImageBitmap(file).catch(() => null))
    canvas.hidden = !image
    if (!image) return
    const side = Math.min(image.width, image.height)
    const context = canvas.getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, LOGO_SIDE_PX, LOGO_SIDE_PX)
    context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, LOGO_SIDE_PX, LOGO_SIDE_PX)
    const as = (type, quality) => new Promise((done) => canvas.toBlob(done, type, quality))
    let blob = await as('image/png')
    for (const quality of LOGO_QUALITIES) if (blob.size > LOGO_BYTES_MAX) blob = await as('image/jpeg', quality)
    const chosen = new DataTransfer()
    chosen.items.add(new File([blob], 'logo', { type: blob.type }))
    input.files = chosen.files
  })
}

/** Large keys for a phone: they type into the field that they are for. */
function typeByPad(pad) {
  pad.hidden = false
  const field = document.getElementById(pad.dataset.pad)
  pad.addEventListener('click', (event) => {
    const digit = event.target.closest('[data-digit]')?.dataset.digit
    if (digit === undefined) return
    const typed = field.value.replace(/\D/g, '')
    field.value = digit === '' ? typed.slice(0, -1) : (typed + digit).slice(0, field.maxLength)
  })
}

/** Returns what plays two rising tones. A browser plays them once its user has touched the site. */
function paidSound() {
  let audio = null
  return () => {
    audio ??= new AudioContext()
    for (const [hertz, afterS] of PAID_TONES) {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()]
      tone.frequency.value = hertz
      volume.gain.setValueAtTime(0.5, audio.currentTime + afterS)
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + afterS + TONE_S)
      tone.connect(volume).connect(audio.destination)
      tone.start(audio.currentTime + afterS)
      tone.stop(audio.currentTime + afterS + TONE_S)
    }
  }
}

/** Plays the sound once the region says that the customer has paid. */
function soundPayment(place) {
  const observer = new MutationObserver(() => {
    if (place.querySelector('.paid-screen') === null) return
    observer.disconnect()
    navigator.vibrate?.(PAID_VIBRATION_MS)
    playPaid()
  })
  observer.observe(place, { childList: true, subtree: true })
}

/** Shows a button that works with a script alone. */
function offer(button, act) {
  button.hidden = false
  button.addEventListener('click', act)
}

/** Shows the operations whose line has the typed words, and the sections that have some. */
function filterOperations(field) {
  field.parentElement.hidden = false
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/)
    for (const section of document.querySelectorAll('.reference section')) {
      const operations = [...section.querySelectorAll('.operation')]
      for (const operation of operations) {
        const line = `${section.firstElementChild.textContent} ${operation.textContent}`.toLowerCase()
        operation.hidden = !words.every((word) => line.includes(word))
      }
      section.hidden = operations.every(({ hidden }) => hidden)
    }
  })
}

/** Copies the field or the text that the button names. The clipboard exists over https alone; elsewhere the text is selected. */
function offerCopies(root) {
  for (const button of root.querySelectorAll('[data-copy]')) {
    const words = button.textContent
    offer(button, async () => {
      const source = document.getElementById(button.dataset.copy)
      if ('select' in source) source.select()
      else getSelection().selectAllChildren(source)
      const isCopied = await copied(source.value ?? source.textContent)
      const { copiedText, selectedText } = document.querySelector('[data-copied]').dataset
      document.querySelector('[data-copied]').textContent = isCopied ? copiedText : selectedText
      if (!isCopied) return
      button.textContent = button.dataset.doneText
      setTimeout(() => {
        button.textContent = words
      }, COPIED_SHOWN_MS)
    })
  }
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No clipboard here, or no permission.
    return document.execCommand('copy')
  }
}

/**
 * Reads the page again after the events that it names, and replaces its live regions. One connection per page, and none while
 * the page is hidden: browsers open few connections to a server over HTTP/1.1.
 */
function followNews(content) {
  let source = null
  let openedMs = 0
  let retry = null
  let delayMs = RETRY_FIRST_MS
  let planned = null
  let reads = 0
  let reading = new AbortController()
  let readMs = -NEWS_EVERY_MS
  const plan = () => {
    if (planned !== null) return
    planned = setTimeout(read, Math.max(NEWS_AFTER_MS, readMs + NEWS_EVERY_MS - performance.now()))
  }
  const read = async () => {
    planned = null
    readMs = performance.now()
    const number = ++reads
    const page = await pageAt(location.href, reading.signal)
    // A later request has newer content.
    if (page === null || number !== reads) return
    for (const region of content.querySelectorAll('[data-live]')) replaceRegion(region, page)
  }
  const open = () => {
    source = new EventSource(content.dataset.news)
    openedMs = performance.now()
    // Also after an interruption: what happened meanwhile is on the page.
    source.onopen = plan
    source.onerror = () => {
      close()
      if (performance.now() - openedMs > STEADY_MS) delayMs = RETRY_FIRST_MS
      // A random part, so that pages do not return to a restarted server at the same moment.
      retry = setTimeout(open, delayMs * (1 + Math.random()))
      delayMs = Math.min(2 * delayMs, RETRY_MOST_MS)
    }
    for (const type of content.dataset.types.split(' ')) source.addEventListener(type, plan)
  }
  const close = () => {
    clearTimeout(retry)
    source?.close()
    source = null
  }
  const follow = () => {
    close()
    if (!document.hidden) open()
  }
  // The form's answer is the next page, and the form may delete what this one shows.
  const leave = (event) => {
    if (event.defaultPrevented || event.target.method !== 'post') return
    close()
    clearTimeout(planned)
    planned = null
    reading.abort()
    reading = new AbortController()
  }
  addEventListener('submit', leave)
  addEventListener('pagehide', close)
  addEventListener('pageshow', follow)
  document.addEventListener('visibilitychange', follow)
}

/** Forms have new keys on each page, so regions are compared by what they show. The focus stays on the same link. */
function replaceRegion(region, page) {
  const next = page.querySelector(`[data-live="${region.dataset.live}"]`)
  if (next === null || shownIn(next) === shownIn(region)) return
  if (region.dataset.live === 'title') document.querySelector('[data-changed]').textContent = next.textContent
  const focused = region.contains(document.activeElement) ? document.activeElement : null
  const place = focused?.getAttribute('href') ?? null
  region.replaceChildren(...document.adoptNode(next).childNodes)
  offerCopies(region)
  if (focused === null) return
  const again = [...region.querySelectorAll('[href]')].find((link) => link.getAttribute('href') === place)
  const heir = again ?? region.querySelector('[tabindex]') ?? document.querySelector('#contenu')
  heir.focus({ preventScroll: true })
}

/** What a region shows: its text, links and drawings. */
function shownIn(region) {
  const links = [...region.querySelectorAll('[href]')].map((link) => link.getAttribute('href'))
  const shapes = [...region.querySelectorAll('svg')].map((drawing) => drawing.outerHTML)
  return [region.textContent, ...links, ...shapes].join('\n')
}

/** Returns the page at an address of this server; null where there is none, after the session's end, and when the signal aborts. */
function pageAt(address, signal) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    // The signal lives as long as the page: it must not keep every page that was read.
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.open('GET', address)
    request.responseType = 'document'
    request.onload = () => resolve(request.status === 200 ? request.response : null)
    request.onerror = () => resolve(null)
    request.onabort = () => resolve(null)
    request.send()
  })
}

/** The key in each form keeps a second sending from acting twice; this keeps it from being sent. */
function guardForms() {
  for (const form of document.querySelectorAll('form[method=post]')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent === 'yes') return event.preventDefault()
      form.dataset.sent = 'yes'
      event.submitter?.setAttribute('aria-disabled', 'true')
    })
  }
  // Back from the next page, out of the browser's memory.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form')) {
      delete form.dataset.sent
      for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled')
    }
  })
}

/**
 * The editor of a product's form: its buttons ask the server for the next state, as they do without a script, and the
 * answer takes the place of the editor. The preview follows while the user types.
 */
function editWithoutReload(form) {
  const notice = form.querySelector('[data-notice]')
  let typing = null
  let asked = null
  const ask = (button) => {
    clearTimeout(typing)
    asked?.abort()
    asked = new XMLHttpRequest()
    return sentForm(asked, form, button)
  }
  form.addEventListener('click', async (event) => {
    const button = event.target.closest('button[name=do]')
    if (button === null) return
    event.preventDefault()
    const editor = form.querySelector('[data-editor]')
    // What is typed from here on would be lost.
    editor.inert = true
    const page = await ask(button)
    const next = page?.querySelector('[data-editor]') ?? null
    if (next === null) return sendWhole(form, button)
    const opened = [...editor.querySelectorAll('details')].map((details) => details.open)
    editor.replaceWith(document.adoptNode(next))
    if (!button.value.includes('-')) restoreOpened(next, opened)
    const hand = next.querySelector('[autofocus]') ?? next.querySelector(`button[value="${button.value}"]`)
    hand?.focus()
    notice.textContent = page.querySelector('[data-notice]').textContent
  })
  form.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(async () => {
      const page = await ask(form.querySelector('#refresh'))
      const [next, shown] = [page?.querySelector('[data-preview]'), form.querySelector('[data-preview]')]
      if (next && shown) shown.replaceWith(document.adoptNode(next))
    }, PREVIEW_AFTER_MS)
  })
}

/** A page comes back each time: not for every letter. */
const PREVIEW_AFTER_MS = 800

/** Where nothing moved, what was open stays open. */
function restoreOpened(editor, opened) {
  for (const [index, details] of [...editor.querySelectorAll('details')].entries()) if (opened[index]) details.open = true
}

/** The page that the form leads to, null where there is none; nothing comes of an aborted request. An XMLHttpRequest parses it without running anything in it. */
function sentForm(request, form, button) {
  return new Promise((resolve) => {
    request.open('POST', form.action)
    request.responseType = 'document'
    request.onload = () => resolve(request.response)
    request.onerror = () => resolve(null)
    const sent = new FormData(form, button)
    request.send(form.enctype === 'multipart/form-data' ? sent : new URLSearchParams(sent))
  })
}

/** As without a script: the browser says what went wrong. */
function sendWhole(form, button) {
  const choice = document.createElement('input')
  Object.assign(choice, { type: 'hidden', name: button.name, value: button.value })
  form.append(choice)
  form.submit()
}
