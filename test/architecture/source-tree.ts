// The source as the rules see it: parsed files and what each one imports. Read from disk, or made from strings so that
// every rule can be seen to fail.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

export const FOLDERS = ['engine', 'http', 'wal', 'sandbox-pool', 'bench', 'test'] as const

/** `path`: a string that names a file, as for a worker thread or a child process. */
export type ImportKind = 'value' | 'type' | 'path'

export interface Import {
  readonly kind: ImportKind
  /** As it is written, or for `path` relative to the root. */
  readonly specifier: string
  /** Path from the root, null for a package or a built-in module. */
  readonly target: string | null
  /** Named bindings that it takes; empty when it takes the whole module. */
  readonly names: readonly string[]
  readonly line: number
}

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string
  readonly text: string
  readonly ast: ts.SourceFile
  readonly imports: readonly Import[]
}

export interface SourceTree {
  /** Files that Node runs, by path: TypeScript, and the JavaScript that comes before it. What browsers run is not among them. */
  readonly files: ReadonlyMap<string, SourceFile>
  /** Every file of the source folders, of any kind. */
  readonly paths: readonly string[]
  /** Files that npm scripts start. */
  readonly entries: readonly string[]
}

/** A tree from strings: `{ 'engine/kernel/a.ts': 'export const a = 1' }`. */
export function treeOf(texts: Readonly<Record<string, string>>, entries: readonly string[] = []): SourceTree {
  const files = new Map<string, SourceFile>()
  for (const [path, text] of Object.entries(texts)) {
    if (isSource(path)) files.set(path, parse(path, text))
  }
  return { files, paths: Object.keys(texts), entries }
}

function isSource(path: string): boolean {
  return path.endsWith('.ts') || (path.endsWith('.js') && !path.startsWith('http/pages/'))
}

const trees = new Map<string, SourceTree>()

/** The folders of the repository at `root`, with the scripts of its package.json as entries: parsed once, which takes seconds. */
export function readTree(root: string): SourceTree {
  const tree = trees.get(root) ?? parsedTree(root)
  trees.set(root, tree)
  return tree
}

function parsedTree(root: string): SourceTree {
  const texts: Record<string, string> = {}
  // An empty folder is in no clone; that it stands is the business of the top level's own test.
  for (const folder of FOLDERS.filter((name) => existsSync(join(root, name)))) {
    for (const path of pathsBelow(root, folder)) texts[path] = isSource(path) ? readFileSync(join(root, path), 'utf8') : ''
  }
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const entries = Object.values(scripts).flatMap((command) =>
    command
      .split(' ')
      .filter((word) => /\.[jt]s$/.test(word))
      .map((word) => posix.normalize(word)),
  )
  return treeOf(texts, entries)
}

/** What bench runs and the build of the client leave behind; see .gitignore. */
export const GENERATED: ReadonlySet<string> = new Set(['bench/results', 'http/client/dist'])

function pathsBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (GENERATED.has(path)) return []
    return entry.isDirectory() ? pathsBelow(root, path) : [path]
  })
}

export function lineOf(ast: ts.SourceFile, node: ts.Node): number {
  return ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1
}

function parse(path: string, text: string): SourceFile {
  const ast = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS)
  const imports: Import[] = []
  const visit = (node: ts.Node): void => {
    const found = importOf(path, ast, node)
    if (found !== null) imports.push(found)
    // The literal of an import is not a path literal besides.
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) ts.forEachChild(node, visit)
  }
  visit(ast)
  return { path, text, ast, imports }
}

function importOf(path: string, ast: ts.SourceFile, node: ts.Node): Import | null {
  const make = (kind: ImportKind, specifier: string, names: readonly string[] = []): Import => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null
    return { kind, specifier, target, names, line: lineOf(ast, node) }
  }
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    // `import { type A }` is a value import: verbatimModuleSyntax leaves `import {}` behind.
    const kind = node.importClause?.isTypeOnly === true ? 'type' : 'value'
    return make(kind, node.moduleSpecifier.text, boundNames(node.importClause?.namedBindings))
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
    return make(node.isTypeOnly ? 'type' : 'value', node.moduleSpecifier.text)
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return make('type', node.argument.literal.text)
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments
    return argument !== undefined && ts.isStringLiteralLike(argument) ? make('value', argument.text) : null
  }
  return pathLiteral(path, ast, node)
}

function boundNames(bindings: ts.NamedImportBindings | undefined): string[] {
  if (bindings === undefined || !ts.isNamedImports(bindings)) return []
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
}

const ROOT_PATH = new RegExp(`^(?:${FOLDERS.join('|')})/[\\w./-]+\\.[jt]s$`)

function pathLiteral(path: string, ast: ts.SourceFile, node: ts.Node): Import | null {
  // The tables of this test name files and start none of them.
  if (path.startsWith('test/architecture/')) return null
  if (!ts.isStringLiteralLike(node) || ts.isImportTypeNode(node.parent.parent)) return null
  if (ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword) return null
  const { text } = node
  const line = lineOf(ast, node)
  if (/^\.\.?\/[\w./-]+\.[jt]s$/.test(text)) {
    return { kind: 'path', specifier: text, target: posix.join(posix.dirname(path), text), names: [], line }
  }
  return ROOT_PATH.test(text) ? { kind: 'path', specifier: text, target: text, names: [], line } : null
}
