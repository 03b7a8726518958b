// What the checkout page does by itself: a clock that runs, a code that changes, news of the payment, the way back to
// the shop. Without it the page works all the same.

const POLL_MS = 2500
const POLL_AFTER_ERROR_MS = 8000
const CODE_MS = 15_000
const ONWARD_MS = 5000

const checkout = document.querySelector('[data-checkout]')
const onward = document.querySelector('[data-onward]')
if (checkout !== null) watchPayment(checkout)
if (onward !== null) goOnward(onward)

function goOnward(link) {
  const news = document.querySelector('[data-onward-news]')
  news.textContent = news.dataset.soonText
  setTimeout(() => location.replace(link.href), ONWARD_MS)
}

function watchPayment(element) {
  const base = element.dataset.checkout
  runClock(element)
  changeCode(element.querySelector('[data-code-left]'), base)
  poll(base)
  guardForms()
}

/** Counts by the browser's own running time: its clock may be wrong. */
function runClock(element) {
  const clock = element.querySelector('[data-left]')
  const news = element.querySelector('[data-news]')
  const endsMs = performance.now() + Number(clock.dataset.left) * 1000
  const tick = () => {
    const leftS = Math.max(0, Math.ceil((endsMs - performance.now()) / 1000))
    clock.textContent = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, '0')}`
    clock.classList.toggle('is-short', leftS < 120)
    if (leftS === 300) news.textContent = news.dataset.fiveText
    if (leftS === 60) news.textContent = news.dataset.oneText
    if (leftS > 0) setTimeout(tick, 1000 - ((performance.now() - endsMs) % 1000))
  }
  tick()
}

function changeCode(image, base) {
  let count = 0
  const change = () => {
    count++
    image.src = `${base}/qr.svg?n=${count}`
    setTimeout(change, CODE_MS)
  }
  setTimeout(change, Number(image.dataset.codeLeft) * 1000)
}

/** Asks how the charge stands; anything but pending is shown by the page itself, asked for anew. */
function poll(base) {
  let timer = 0
  const ask = async () => {
    clearTimeout(timer)
    let waitMs = POLL_MS
    try {
      const answer = await fetch(`${base}/status`, { cache: 'no-store' })
      const { state } = answer.ok ? await answer.json() : { state: 'pending' }
      if (state !== 'pending') return location.replace(base)
    } catch {
      // No network for the moment: later again.
      waitMs = POLL_AFTER_ERROR_MS
    }
    timer = setTimeout(ask, waitMs)
  }
  timer = setTimeout(ask, POLL_MS)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void ask()
  })
}

/** One click is one payment: the button rests while the answer is on its way. */
function guardForms() {
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent === 'yes') return event.preventDefault()
      form.dataset.sent = 'yes'
      form.querySelector('button').setAttribute('aria-disabled', 'true')
    })
  }
  // Back from the next page, out of the browser's memory.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form')) {
      delete form.dataset.sent
      form.querySelector('button').removeAttribute('aria-disabled')
    }
  })
}
