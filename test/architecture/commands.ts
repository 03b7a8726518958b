// Every command has its decider, and a submitter that its route names.
import ts from 'typescript'
import type { SourceFile, SourceTree } from './source-tree.ts'
import type { Rule, Violation } from './violation.ts'

/** Commands without a submitter, and why. */
const UNSUBMITTED: ReadonlyMap<string, string> = new Map([
  ['CreateWallet', 'tests make live wallets by it, without the steps of a sign-up; logs of tests may hold it'],
])

/** Its commands have rows, and its timers become commands when they are due. */
const NOUN_MODULE = /^engine\/domain\/[^/]+\/index\.ts$/

interface Uses {
  readonly file: SourceFile
  /** Named by `commands` of a route. */
  readonly named: readonly ts.StringLiteral[]
  /** Named anywhere else but in a type. */
  readonly submitted: readonly ts.StringLiteral[]
  /** True when a route computes its `commands`. */
  readonly computes: boolean
}

export const COMMANDS: Rule = {
  name: 'commands-have-submitters',
  reason:
    'The rows of a noun are written by hand: a row with the decider of another command, a command that nothing submits, or a route that documents the rejections of a command that it does not submit would else stay unseen.',
  check: (tree) => {
    const rows = rowsOf(tree)
    const names = new Set(rows.map(({ name }) => name))
    const uses = usesOf(tree, names)
    const submitted = new Set(uses.flatMap((one) => one.submitted.map(({ text }) => text)))
    const shared = new Set(
      uses
        .filter(({ file, named }) => file.path.startsWith('http/') && named.length === 0)
        .flatMap((one) => one.submitted.map(({ text }) => text)),
    )
    return [
      ...rows.flatMap((row) => rowViolations(row, submitted)),
      ...uses.filter(({ named, computes }) => named.length > 0 && !computes).flatMap((one) => routeViolations(one, shared)),
    ]
  },
}

interface CommandRow {
  readonly file: SourceFile
  readonly name: string
  readonly decider: string
  readonly line: number
}

/** The rows of `commands` in all noun modules. */
function rowsOf(tree: SourceTree): CommandRow[] {
  const rows: CommandRow[] = []
  for (const file of tree.files.values()) {
    if (!NOUN_MODULE.test(file.path)) continue
    const visit = (node: ts.Node): void => {
      if (isProperty(node, 'commands') && ts.isObjectLiteralExpression(node.initializer)) {
        for (const row of node.initializer.properties) rows.push(rowOf(file, row))
      } else node.forEachChild(visit)
    }
    visit(file.ast)
  }
  return rows
}

function rowOf(file: SourceFile, row: ts.ObjectLiteralElementLike): CommandRow {
  const decider = /decide: ?(\w+)/.exec(row.getText(file.ast))?.[1] ?? ''
  return { file, name: row.name?.getText(file.ast) ?? '', decider, line: lineOf(file, row) }
}

function rowViolations({ file, name, decider, line }: CommandRow, submitted: ReadonlySet<string>): Violation[] {
  const violation = (message: string): Violation[] => [{ file: file.path, line, message }]
  if (decider !== `decide${name}`) return violation(`${name} is decided by ${decider || 'nothing'}, not by decide${name}`)
  if (submitted.has(name) === UNSUBMITTED.has(name)) {
    return violation(submitted.has(name) ? `${name} has a submitter: take it out of the list` : `nothing submits ${name}`)
  }
  return []
}

function usesOf(tree: SourceTree, names: ReadonlySet<string>): Uses[] {
  return [...tree.files.values()]
    .filter(({ path }) => path.startsWith('http/') || NOUN_MODULE.test(path))
    .map((file) => usesIn(file, names))
}

function usesIn(file: SourceFile, names: ReadonlySet<string>): Uses {
  const named: ts.StringLiteral[] = []
  const submitted: ts.StringLiteral[] = []
  let computes = false
  const visit = (node: ts.Node, isNaming: boolean): void => {
    if (isNaming && ts.isArrayLiteralExpression(node) && !node.elements.every(ts.isStringLiteral)) computes = true
    if (ts.isStringLiteral(node) && names.has(node.text) && !ts.isLiteralTypeNode(node.parent)) (isNaming ? named : submitted).push(node)
    node.forEachChild((child) => visit(child, isNaming || isProperty(node, 'commands')))
  }
  visit(file.ast, false)
  return { file, named, submitted, computes }
}

/** A route file names what it submits, and submits what it names: itself, or by code that routes share. */
function routeViolations({ file, named, submitted }: Uses, shared: ReadonlySet<string>): Violation[] {
  const namedTexts = new Set(named.map(({ text }) => text))
  const own = new Set(submitted.map(({ text }) => text))
  return [
    ...named
      .filter(({ text }) => !own.has(text) && !shared.has(text))
      .map((node) => ({ file: file.path, line: lineOf(file, node), message: `names ${node.text}, which it does not submit` })),
    ...submitted
      .filter(({ text }) => !namedTexts.has(text))
      .map((node) => ({ file: file.path, line: lineOf(file, node), message: `submits ${node.text}, which no route of it names` })),
  ]
}

function isProperty(node: ts.Node, name: string): node is ts.PropertyAssignment {
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === name
}

function lineOf({ ast }: SourceFile, node: ts.Node): number {
  return ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1
}
