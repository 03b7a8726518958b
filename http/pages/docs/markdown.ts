// Renders the Markdown of the documents: headings with anchors, relative links, code and samples. HTML in Markdown is shown as
// text, so a document can add no element of its own.
import { Marked, type Tokens } from 'marked'
import type { Language } from '../../text/language.ts'
import { html, WrittenHtml } from '../shared/html.ts'
import { codeBlock, type Sample, sampleHtml } from './samples.ts'

export interface MarkdownParts {
  readonly language: Language
  /** Relative path to the root. Links that begin with `/` become relative, so that a proxy may add a path prefix. */
  readonly root: string
  readonly samples: ReadonlyMap<string, Sample>
}

/** `{{sample payouts/batch}}` on a line of its own. */
const SAMPLE = /^\{\{sample ([a-z0-9/-]+)\}\}(?:\n|$)/

/** Returns the HTML of a text. Throws for a sample that does not exist. */
export function markdownHtml(text: string, { language, root, samples }: MarkdownParts): WrittenHtml {
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens)
        const id = anchorOf(plain(words))
        return depth === 1 ? `<h1>${words}</h1>\n` : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${words}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const address = href.startsWith('/') ? root + href.slice(1) : href
        return `<a href="${escapedText(address)}">${this.parser.parseInline(tokens)}</a>`
      },
      code: ({ text: code }) => codeBlock(code).in(language),
      html: ({ text: source }) => escapedText(source),
      table(token) {
        return `<div class="scroll" tabindex="0">${tableOf(token, (cell) => this.parser.parseInline(cell.tokens))}</div>\n`
      },
    },
    extensions: [
      {
        name: 'sample',
        level: 'block',
        start: (source) => source.indexOf('{{sample '),
        tokenizer(source) {
          const [raw, name] = SAMPLE.exec(source) ?? []
          return raw === undefined ? undefined : { type: 'sample', raw, name }
        },
        renderer: ({ name }) => {
          const sample = samples.get(String(name))
          if (sample === undefined) throw new Error(`a document names the sample ${name}, which does not exist`)
          return sampleHtml(sample).in(language)
        },
      },
    ],
  })
  return new WrittenHtml(marked.parse(text, { async: false }))
}

/** Returns the id of a heading: its letters and digits without accents. */
export function anchorOf(heading: string): string {
  return folded(heading)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Returns a text in lower case without accents. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

function plain(words: string): string {
  return words.replaceAll(/<[^>]*>/g, '').replaceAll(/&[#\w]+;/g, ' ')
}

function escapedText(text: string): string {
  return html`${text}`.in('fr')
}

function tableOf({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const names = header.map(inline)
  const head = names.map((name) => `<th role="columnheader" scope="col">${name}</th>`).join('')
  // On a small screen a row is a card, and each cell has the name of its column.
  const cellOf = (cell: Tokens.TableCell, index: number): string =>
    `<td role="cell" data-label="${plain(names[index] ?? '')}">${inline(cell)}</td>`
  const body = rows.map((cells) => `<tr role="row">${cells.map(cellOf).join('')}</tr>`).join('')
  return `<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${body}</tbody></table>`
}
