// The French texts of the source, found by the TypeScript parser: literals and templates without their tags. English ones of
// `texts({ fr, en })` are left out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface PageText {
  /** A value stands as `{}`. */
  readonly text: string
  /** File and line. */
  readonly place: string
  /** False for a text of `texts({ fr, en })`. */
  readonly isOutside: boolean
  /** True for the words of an HTML template. */
  readonly isHtml: boolean
}

/** Returns the texts of all files of a folder, or of one file. */
export function pageTexts(path: string): PageText[] {
  if (path.endsWith('.ts')) return textsOfFile(path)
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return names.toSorted().flatMap((name) => textsOfFile(join(path, name)))
}

function textsOfFile(path: string): PageText[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: PageText[] = []
  const visit = (node: ts.Node, isOutside: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    if (ts.isPropertyAssignment(node) && !isOutside && node.name.getText() === 'en') return
    const text = textOf(node)
    if (text !== null) {
      const isHtml = ts.isTaggedTemplateExpression(node.parent) && node.parent.tag.getText() === 'html'
      const place = `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
      found.push({ text: isHtml ? wordsOf(text) : text, place, isOutside, isHtml })
    }
    const isTexts = ts.isCallExpression(node) && node.expression.getText() === 'texts'
    node.forEachChild((child) => visit(child, isOutside && !isTexts))
  }
  visit(source, true)
  return found
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
}

/** Attributes whose values a reader sees or hears. */
const WORD_ATTRIBUTES = /\s(?:alt|aria-label|data-[a-z]+-text|data-label|label|placeholder|title)="([^"]*)"/g
const LITERAL_ELEMENTS = /<(bdi|code|kbd)\b[^>]*>[^<]*<\/\1>/g
/** A template may be a part of a tag: ` class="figure"`. */
const ATTRIBUTES = /\s[a-z-]+="[^"]*"/g

/** Returns what a reader sees of a template. Names, sources and ids stand in literal elements. */
function wordsOf(template: string): string {
  const attributes = [...template.matchAll(WORD_ATTRIBUTES)].map(([, value]) => value).join(' ')
  const content = template
    .replaceAll(LITERAL_ELEMENTS, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(ATTRIBUTES, ' ')
  return `${content} ${attributes}`
}
