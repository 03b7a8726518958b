// Getters and setters stand in classes. V8 makes an accessor of an object literal in old space, for each object anew: until the next full
// collection it holds what its closure sees, so a scavenge copies all of it.
import ts from 'typescript'
import { lineOf, type SourceFile } from './source-tree.ts'
import { type Exception, type Rule, type Violation, withExceptions } from './violation.ts'

/** Functions that make such an object once. */
const ONCE: readonly Exception[] = [
  { file: 'http/app/log-health.ts', reason: 'made at the start of a server' },
  { file: 'http/app/opened-parts.ts', reason: 'made at the start of a server' },
  { file: 'http/pages/dev/dev-table.ts', reason: 'made at the start of a server' },
  { file: 'sandbox-pool/guest/process.ts', reason: 'made once in each isolate' },
]

export const NO_LITERAL_ACCESSORS: Rule = {
  name: 'no-literal-accessors',
  reason: 'An object literal with a getter leaves memory in old space each time: of batches, 7 of 45 MB survived that were dead.',
  check: (tree) => {
    const found = [...tree.files.values()].filter(({ path }) => !/^(?:test|bench)\//.test(path)).flatMap(accessorsIn)
    return withExceptions(
      found,
      ONCE.filter(({ file }) => tree.files.has(file)),
    )
  },
}

/** Accessors of object literals within a function. */
function accessorsIn({ ast, path }: SourceFile): Violation[] {
  const found: Violation[] = []
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    if (isInFunction && ts.isAccessor(node) && ts.isObjectLiteralExpression(node.parent))
      found.push({ file: path, line: lineOf(ast, node), message: `an object literal has the accessor ${node.name.getText(ast)}` })
    ts.forEachChild(node, (child) => visit(child, isInFunction || ts.isFunctionLike(node)))
  }
  visit(ast, false)
  return found
}
