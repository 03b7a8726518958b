// The texts of the pages, found in their source by the TypeScript parser: those of templates, and texts that are put into them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { keysOf } from '../../http/pages/template-words.ts'
import { keyOf } from '../../http/text/catalogue.ts'

export interface PageText {
  readonly key: string
  /** File and line. */
  readonly place: string
}

/** Properties and calls whose texts no page shows. */
const SILENT_PROPERTIES: ReadonlySet<string> = new Set(['operationId', 'summary', 'path', 'description', 'contentType', 'type', 'look'])
/** Tags whose templates hold texts. */
const TEMPLATES: ReadonlySet<string> = new Set(['html', 'titled'])
/** Tag of a sentence with values, without elements. */
const PHRASE = 'phrase'
const SILENT_CALLS: ReadonlySet<string> = new Set(['assert', 'Error', 'setAttribute'])
/** A text for people has a capital letter first, an accent or a blank between words. */
const FOR_PEOPLE = /^\p{Lu}\p{Ll}|[À-ÿ’…]|\p{L}[\p{L},;:.!?%)]* +\p{L}/u
const HEADER = /^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+$/

/** Returns the texts of all files of a folder, or of one file. */
export function pageTexts(path: string): PageText[] {
  if (path.endsWith('.ts')) return textsOfFile(path)
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return names.toSorted().flatMap((name) => textsOfFile(join(path, name)))
}

function textsOfFile(path: string): PageText[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: PageText[] = []
  const add = (node: ts.Node, key: string): void => {
    found.push({ key, place: `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}` })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && TEMPLATES.has(node.tag.getText())) {
      for (const key of keysOf(partsOf(node.template))) add(node, key)
      const spans = ts.isTemplateExpression(node.template) ? node.template.templateSpans : []
      for (const { expression } of spans) visit(expression)
      return
    }
    const said = phraseOf(node)
    if (said !== null) add(node, said)
    if (isSilent(node)) return
    const text = plainText(node)
    if (text !== null && FOR_PEOPLE.test(text) && !HEADER.test(text)) add(node, keyOf(text))
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** Returns the key of a tagged phrase; null for any other node. */
function phraseOf(node: ts.Node): string | null {
  return ts.isTaggedTemplateExpression(node) && node.tag.getText() === PHRASE ? keyOf(plainText(node.template) ?? '') : null
}

/** Returns a plain text with its values as `{0}`. */
function plainText(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join('')
}

function partsOf(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text]
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
}

function isSilent(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node) || ts.isRegularExpressionLiteral(node))
    return true
  // The English of `texts({ fr, en })`: its compiler holds that it is complete.
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'en' && ts.isObjectLiteralExpression(node.initializer)) return true
  if (ts.isPropertyAssignment(node)) return SILENT_PROPERTIES.has(node.name.getText()) && ts.isStringLiteralLike(node.initializer)
  return (ts.isCallExpression(node) || ts.isNewExpression(node)) && SILENT_CALLS.has(node.expression.getText())
}
