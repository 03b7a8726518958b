// Where live state may change: in the appliers of events and in the ledger. All other code reads.
import ts from 'typescript'
import { lineOf, type SourceFile } from './source-tree.ts'
import { type Exception, isWithin, type Rule, type Violation, withExceptions } from './violation.ts'

const READERS = ['engine/domain/', 'engine/actor/', 'engine/query/', 'http/']

const APPLIERS = /^engine\/domain\/(?:[^/]+\/(?:[a-z]+-)*)?(?:evolve|state)\.ts$/

const EXCEPTIONS: readonly Exception[] = [
  { file: 'engine/actor/turn.ts', reason: 'posts what a decision planned, and on replay what the log says' },
  { file: 'engine/actor/snapshot.ts', reason: 'restores the image before the first turn' },
]

const CHANGING_CALLS = new Set([
  'set',
  'delete',
  'add',
  'clear',
  'post',
  'open',
  'changeHeld',
  'restore',
  'restoreBlock',
  'schedule',
  'cancel',
])

export const STATE_CHANGES: Rule = {
  name: 'state-changes-in-evolve',
  reason: 'State that changes anywhere else is not in the log, so a replay does not know of it.',
  check: (tree) => {
    const readers = [...tree.files.values()].filter(({ path }) => READERS.some((folder) => isWithin(folder, path)) && !APPLIERS.test(path))
    return withExceptions(
      readers.flatMap(changes),
      EXCEPTIONS.filter(({ file }) => tree.files.has(file)),
    )
  },
}

function changes(file: SourceFile): Violation[] {
  const found: Violation[] = []
  const visit = (node: ts.Node): void => {
    const target = changedExpression(node)
    if (target !== null && isLiveState(target)) {
      found.push({ file: file.path, line: lineOf(file.ast, node), message: `changes ${target.getText(file.ast)}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(file.ast)
  return found
}

/** What a call, an assignment or a count changes; null when it changes nothing. */
function changedExpression(node: ts.Node): ts.Expression | null {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return CHANGING_CALLS.has(node.expression.name.text) ? node.expression.expression : null
  }
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? member(node.left) : null
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken ? member(node.operand) : null
  }
  return ts.isDeleteExpression(node) ? member(node.expression) : null
}

/** `state.a.b = 1` changes `state.a`; `state = x` gives a variable a new value and changes nothing of the old one. */
function member(target: ts.Expression): ts.Expression | null {
  return ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target) ? target.expression : null
}

/** Begins with `state`, `this.#state`, or the state of an engine. */
function isLiveState(expression: ts.Expression): boolean {
  return (
    /^(?:(?:reads\.)?state\b|this\.#?state\b|(?:this\.)?#?engine\.state\b)/.test(expression.getText()) &&
    !/^this\.#?state$/.test(expression.getText())
  )
}
