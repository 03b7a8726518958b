// Code samples, shown in each language that has one. They are files of `samples/`, which a test runs as they are against a real
// server; those of the reference are generated.
import { readdirSync, readFileSync } from 'node:fs'
import { type Html, html } from '../html.ts'

/** Languages of samples, in the order in which they are shown, by the ending of their files. */
export const SAMPLE_LANGUAGES = { sh: 'curl', mjs: 'Node.js', py: 'Python', php: 'PHP', go: 'Go', java: 'Java' } as const

export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

/** Source text by language. */
export type Sample = Readonly<Partial<Record<SampleLanguage, string>>>

const FOLDER = new URL('samples/', import.meta.url)
const ENDINGS = Object.keys(SAMPLE_LANGUAGES) as readonly SampleLanguage[]

/** Returns all samples by name, such as `payouts/batch`. */
export function readSamples(): ReadonlyMap<string, Sample> {
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
      html`<details class="sample" data-language="${ending}"${at === 0 && html` open`}><summary><bdi>${SAMPLE_LANGUAGES[ending]}</bdi></summary>${codeBlock(sample[ending] ?? '')}</details>`,
  )}</div>`
}

export function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}
