// What the documents do by themselves: code is copied by a button, and samples unfold in the reader's programming language. Without it
// the documents are the same, with each sample a touch away.

const LANGUAGE_KEY = 'docs-language'
const COPIED_SHOWN_MS = 2000

const docs = document.querySelector('.docs')
const { copyText, copiedText } = docs.dataset
for (const code of docs.querySelectorAll('pre')) addCopyButton(code)
const samples = [...docs.querySelectorAll('.sample')]
chooseLanguage(rememberedLanguage())
for (const sample of samples) sample.firstElementChild.addEventListener('click', () => rememberLanguage(sample))

function addCopyButton(code) {
  const frame = document.createElement('div')
  frame.className = 'copied'
  code.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = copyText
  button.addEventListener('click', async () => {
    if (!(await copied(code))) return
    button.textContent = copiedText
    setTimeout(() => {
      button.textContent = copyText
    }, COPIED_SHOWN_MS)
  })
  frame.append(button, code)
}

async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    // No clipboard here, or no permission.
    getSelection().selectAllChildren(code)
    return document.execCommand('copy')
  }
}

/** Unfolds each sample in the language, where it has one. */
function chooseLanguage(language) {
  for (const group of docs.querySelectorAll('.samples')) {
    const own = [...group.children].find((sample) => sample.dataset.language === language)
    if (own === undefined) continue
    for (const sample of group.children) sample.open = sample === own
  }
}

function rememberedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_KEY)
  } catch {
    // A browser may keep nothing.
    return null
  }
}

/** Only a sample that is being unfolded is a choice. */
function rememberLanguage(sample) {
  if (sample.open) return
  try {
    localStorage.setItem(LANGUAGE_KEY, sample.dataset.language)
  } catch {
    // A browser may keep nothing.
  }
}
