// Classes extend nothing but errors. A sequence of checks is a list of functions, so that one file shows it.
import ts from 'typescript'
import { lineOf, type SourceFile } from './source-tree.ts'
import type { Rule, Violation } from './violation.ts'

interface Base {
  readonly name: string
  /** Where it is defined; for a class of the platform, where it is extended. */
  readonly file: string
  readonly reason: string
}

/** Base classes of production code, each with the reason why it is one. */
export const BASES: readonly Base[] = [
  { name: 'SnapshotTables', file: 'engine/kernel/table.ts', reason: 'a table is in the snapshot from its construction on' },
  { name: 'Resource', file: 'http/client/src/resources/resource.ts', reason: 'one constructor for the parts of the SDK' },
  { name: 'GuestEventTarget', file: 'sandbox-pool/guest/event-target.ts', reason: 'the DOM Standard: an AbortSignal is an EventTarget' },
  { name: 'GuestBlob', file: 'sandbox-pool/guest/blob.ts', reason: 'the File API: a File is a Blob, which hosted code may test' },
  { name: 'BodyHolder', file: 'sandbox-pool/guest/fetch.ts', reason: 'the Fetch Standard: the mixin Body of requests and responses' },
  { name: 'Headers', file: 'sandbox-pool/guest/url.ts', reason: 'a class of the platform with a wider constructor' },
]

export const NO_INHERITANCE: Rule = {
  name: 'no-inheritance',
  reason: 'What an inherited member does is known after opening every class above it. Only errors extend; the rest is composed.',
  check: (tree) => {
    const bases = BASES.filter(({ file }) => tree.files.has(file))
    const found = [...tree.files.values()].filter(({ path }) => !/^(?:test|bench)\//.test(path)).flatMap(extensions)
    return [
      ...found.filter(({ base }) => !bases.some(({ name }) => name === base)).map(({ violation }) => violation),
      ...bases
        .filter(({ name }) => !found.some(({ base }) => base === name))
        .map(({ name, file }) => ({ file, line: 1, message: `nothing extends ${name} any more: take its row out of the table` })),
    ]
  },
}

interface Extension {
  readonly base: string
  readonly violation: Violation
}

/** Returns the classes of a file that extend another class than an error. */
function extensions(file: SourceFile): Extension[] {
  const found: Extension[] = []
  const visit = (node: ts.Node): void => {
    const base = ts.isClassLike(node) ? baseOf(node, file) : null
    if (base !== null && !base.endsWith('Error'))
      found.push({ base, violation: { file: file.path, line: lineOf(file.ast, node), message: `a class extends ${base}` } })
    ts.forEachChild(node, visit)
  }
  visit(file.ast)
  return found
}

function baseOf(node: ts.ClassLikeDeclaration, { ast }: SourceFile): string | null {
  const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
  return clause?.types[0]?.expression.getText(ast) ?? null
}
