// Code samples, shown in each language that has one. They are files of `samples/`, which a test runs as they are against a real
// server; those of the reference are generated.
import { readdirSync, readFileSync } from 'node:fs'
import { type Html, html } from '../shared/html.ts'

/** Languages of samples, in the order in which they are shown, by the ending of their files. `js` is code that Cauri runs. */
export const SAMPLE_LANGUAGES = { sh: 'curl', mjs: 'Node.js', py: 'Python', php: 'PHP', go: 'Go', java: 'Java', js: 'JavaScript' } as const

export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

/** Source text by language. */
export type Sample = Readonly<Partial<Record<SampleLanguage, string>>>

const FOLDER = new URL('samples/', import.meta.url)
const ENDINGS = Object.keys(SAMPLE_LANGUAGES) as readonly SampleLanguage[]

let known: ReadonlyMap<string, Sample> | null = null

/** Returns all samples by name, such as `payouts/batch`. They are read once. */
export function readSamples(): ReadonlyMap<string, Sample> {
  known ??= samplesOfFolder()
  return known
}

function samplesOfFolder(): ReadonlyMap<string, Sample> {
  const samples = new Map<string, Record<string, string>>()
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const [, name = '', ending = ''] = /^(.+)\.(\w+)$/.exec(file) ?? []
    if (!(ENDINGS as readonly string[]).includes(ending)) continue
    const sample = samples.get(name) ?? {}
    sample[ending] = readFileSync(new URL(file, FOLDER), 'utf8').trimEnd()
    samples.set(name, sample)
  }
  return samples
}

/** Shows a sample: one language is unfolded, the others are a touch away. */
export function sampleHtml(sample: Sample): Html {
  const shown = ENDINGS.filter((ending) => sample[ending] !== undefined)
  return html`<div class="samples">${shown.map(
    (ending, at) =>
      html`<details class="sample" data-language="${ending}"${at === 0 && html` open`}><summary><bdi>${nameOf(ending, sample)}</bdi></summary>${codeBlock(sample[ending] ?? '')}</details>`,
  )}</div>`
}

/** Commands that call no API are for a shell alone; `cauri` is the function of `cauri.sh`. */
function nameOf(ending: SampleLanguage, sample: Sample): string {
  return ending === 'sh' && !/\b(?:curl|cauri) /.test(sample.sh ?? '') ? 'Shell' : SAMPLE_LANGUAGES[ending]
}

export function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}
