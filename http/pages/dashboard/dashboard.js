// What the dashboard's pages do by themselves: one click sends a form once, a file is read into its text. Without it
// they work all the same.

guardForms()
for (const place of document.querySelectorAll('[data-file-for]')) readFileInto(place)
for (const place of document.querySelectorAll('[data-preview-of]')) previewForm(place)

/** The key in each form keeps a second sending from acting twice; this keeps it from being sent. */
function guardForms() {
  for (const form of document.querySelectorAll('form[method=post]')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent === 'yes') return event.preventDefault()
      form.dataset.sent = 'yes'
      form.querySelector('button')?.setAttribute('aria-disabled', 'true')
    })
  }
  // Back from the next page, out of the browser's memory.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form')) {
      delete form.dataset.sent
      form.querySelector('button')?.removeAttribute('aria-disabled')
    }
  })
}

/** The file goes into the text area, where it can be looked at before it is sent; it never leaves by itself. */
function readFileInto(place) {
  const area = document.getElementById(place.dataset.fileFor)
  const input = place.querySelector('input')
  place.hidden = false
  input.addEventListener('change', async () => {
    const [file] = input.files
    if (file !== undefined) area.value = await file.text()
  })
}

/** The form as its customers see it, while its schema is typed. What is no JSON yet leaves the last preview standing. */
function previewForm(place) {
  const area = document.getElementById(place.dataset.previewOf)
  const target = place.querySelector('[data-preview]')
  area.addEventListener('input', () => {
    try {
      target.replaceChildren(...stepsOf(JSON.parse(area.value)))
    } catch {
      // Half typed: the next letter may make it whole.
    }
  })
}

function stepsOf(schema) {
  return schema.steps.map((step, index) => {
    const title = element('p', {}, element('b', {}, step.title || `Étape ${index + 1}`))
    return element('div', { className: 'step' }, title, ...(step.fields ?? []).map(fieldOf))
  })
}

function fieldOf({ label, type, required, placeholder, help, options }) {
  const name = element('span', {}, `${label || '(sans nom)'}${required === true ? ' *' : ''}`)
  const choices = (options ?? []).map((option) => element('option', {}, option.label))
  const input =
    type === 'select'
      ? element('select', { disabled: true }, ...choices)
      : element('input', { disabled: true, placeholder: placeholder ?? '' })
  return element('label', { className: 'field' }, name, input, ...(help ? [element('span', { className: 'hint' }, help)] : []))
}

/** Text stays text. */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
