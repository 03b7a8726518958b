// What the dashboard's pages do by themselves: one click sends a form once, a product is edited without reloads, a long
// file of payouts goes on by itself. Without it they work all the same.

guardForms()
for (const form of document.querySelectorAll('form.product')) editWithoutReload(form)
for (const form of document.querySelectorAll('[data-continue]')) void payOn(form)

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

/** Part after part, while the bar moves; where an answer is none the button is there to go on with. */
async function payOn(first) {
  for (let form = first; form !== null; ) {
    const page = await sentForm(new XMLHttpRequest(), form)
    if (page === null)
      return document.querySelector('[data-run] [role=status]').append(' La connexion est interrompue : continuez avec le bouton.')
    const next = page.querySelector('[data-run]')
    // The end, or what is wrong: sent again it leads there, and pays nothing twice.
    if (next === null) return form.submit()
    const shown = document.querySelector('[data-run]')
    // The status keeps its element, so that its new words are read out.
    shown.querySelector('[role=status]').replaceChildren(...document.adoptNode(next.querySelector('[role=status]')).childNodes)
    Object.assign(shown.querySelector('progress'), { value: next.querySelector('progress').value })
    const nextForm = document.adoptNode(next.querySelector('form'))
    form.replaceWith(nextForm)
    form = nextForm
  }
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
