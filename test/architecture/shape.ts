// How files and functions look: size, names, headers, and what may not be left lying about.
import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, type SourceFile, type SourceTree } from './source-tree.ts'
import { type Exception, isWithin, type Rule, type Violation, withExceptions } from './violation.ts'

const FILE_LINES = 300
const FILE_LINES_MAX = 500
const FUNCTION_LINES_MAX = 70

/** Files of 301 to 500 lines, each with the reason why it is still one noun. */
export const LONG_FILES: readonly Exception[] = [
  { file: 'http/text/error-messages.ts', reason: 'the words of each error code in both languages' },
  { file: 'http/pages/docs/french-summaries.ts', reason: 'the French title of each route' },
  { file: 'test/pages/dashboard-roles.test.ts', reason: 'the least role of each page and each form in one table' },
  { file: 'engine/actor/engine.ts', reason: 'the order of burst, flush, barrier and snapshot is one thing and is read in one place' },
  {
    file: 'test/engine/domain/mandate/mandate.test.ts',
    reason: 'the states of a mandate in one table, from the request to its last collection',
  },
]

export const FILE_SIZE: Rule = {
  name: 'file-size',
  reason: `A file holds one noun: more than ${FILE_LINES} lines need a reason in the table, ${FILE_LINES_MAX} are the end.`,
  check: (tree) => {
    const sized = [...tree.files.values()].map((file) => ({ file: file.path, lines: lineCount(file) }))
    const over = (limit: number): Violation[] =>
      sized
        .filter(({ lines }) => lines > limit)
        .map(({ file, lines }) => ({ file, line: limit + 1, message: `has ${lines} lines, more than ${limit}` }))
    const tooLong = over(FILE_LINES_MAX)
    const long = over(FILE_LINES).filter(({ file }) => !tooLong.some((violation) => violation.file === file))
    return [
      ...tooLong,
      ...withExceptions(
        long,
        LONG_FILES.filter(({ file }) => tree.files.has(file)),
      ),
    ]
  },
}

function lineCount(file: SourceFile): number {
  return file.text.split('\n').length - (file.text.endsWith('\n') ? 1 : 0)
}

export const FUNCTION_SIZE: Rule = {
  name: 'function-size',
  reason: `A function is read whole: ${FUNCTION_LINES_MAX} lines.`,
  check: (tree) =>
    everyNode(tree, (file, node) => {
      if (!ts.isFunctionLike(node) || isSuite(node)) return []
      const first = lineOf(file.ast, node)
      const lines = file.ast.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - first
      return lines > FUNCTION_LINES_MAX ? [{ file: file.path, line: first, message: `${functionName(node)} has ${lines} lines` }] : []
    }),
}

/** The callback of `describe` holds functions and is none to be read whole. */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^(describe|suite)\b/.test(node.parent.expression.getText())
}

function functionName(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText()
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : 'a function without a name'
}

export const HEADERS: Rule = {
  name: 'header',
  reason: 'A file opens with one or two sentences: what it owns, what it must never do.',
  check: (tree) =>
    [...tree.files.values()]
      .filter(({ path, text }) => !path.startsWith('test/') && !/^(?:#!.*\n)?\/[/*]/.test(text))
      .map(({ path }) => ({ file: path, line: 1, message: 'does not begin with a comment' })),
}

const FORBIDDEN_WORDS = ['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'service', 'services', 'misc', 'common-code']

export const NAMES: Rule = {
  name: 'names-say-what',
  reason: 'A name like "utils", "helpers", "manager" or "service" says nothing about what is inside, so everything ends up there.',
  check: (tree) => [
    ...tree.paths.flatMap((path) => {
      const word = path.split(/[/.-]/).find((part) => FORBIDDEN_WORDS.includes(part))
      return word === undefined ? [] : [{ file: path, line: 1, message: `"${word}" in the path` }]
    }),
    ...everyNode(tree, (file, node) => {
      if (!(ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) || node.name === undefined)
        return []
      const bad = /(?:Utils?|Helpers?|Managers?|Services?)$/.test(node.name.text)
      return bad ? [{ file: file.path, line: lineOf(file.ast, node), message: `"${node.name.text}"` }] : []
    }),
  ],
}

/** Golden copies are named after the event that they hold, logos and other samples after what they are, documents in capitals. */
const FREE_NAMES = /(?:^|\/)(?:golden\/|[A-Z]+\.md$)/
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/

export const KEBAB_CASE: Rule = {
  name: 'kebab-case',
  reason: 'One spelling for files, also on file systems that ignore case.',
  check: (tree) =>
    tree.paths
      .filter((path) => !FREE_NAMES.test(path) && !path.split('/').every((part) => KEBAB.test(part)))
      .map((path) => ({ file: path, line: 1, message: 'is not kebab-case' })),
}

/** Put together here, or this file would break its own rule. */
const UNFINISHED = new RegExp(
  `\\b(?:${['TO', 'FIX'].map((start, index) => start + ['DO', 'ME'][index]).join('|')}|X{3})\\b(?!\\([\\w@.-]+\\):)`,
)

export const UNFINISHED_WORK: Rule = {
  name: 'unfinished-work-has-an-owner',
  reason: 'A note that nobody owns is never done.',
  check: (tree) =>
    [...tree.files.values()].flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (UNFINISHED.test(line) ? [{ file: path, line: index + 1, message: line.trim() }] : [])),
    ),
}

export const NO_EMPTY_CATCH: Rule = {
  name: 'no-empty-catch',
  reason: 'A swallowed error is a defect. Where it is right to go on, a sentence in the block says why.',
  check: (tree) =>
    everyNode(tree, (file, node) => {
      const block = catchBlock(node)
      if (block === null || block.statements.length > 0 || /\/[/*]\s*\w/.test(block.getFullText(file.ast))) return []
      return [{ file: file.path, line: lineOf(file.ast, node), message: 'swallows an error without a word' }]
    }),
}

/** The block of `catch {}` or of `.catch(() => {})`. */
function catchBlock(node: ts.Node): ts.Block | null {
  if (ts.isCatchClause(node)) return node.block
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'catch') return null
  const [handler] = node.arguments
  if (handler === undefined || !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))) return null
  return ts.isBlock(handler.body) ? handler.body : null
}

/** Where a program begins and hands its environment on, and where one variable is set for native code. */
const ENVIRONMENT_READERS = [
  'http/main.ts',
  'http/app/rotate-master-key-command.ts',
  'http/client/src/cli/main.ts',
  'http/client/samples/',
  'http/server/native-maxima.ts',
  'wal/tools/',
]

export const ENVIRONMENT: Rule = {
  name: 'one-reader-of-the-environment',
  reason: 'A setting is read and checked once, at the start, or it fails in the middle of the night.',
  check: (tree) =>
    everyNode(tree, (file, node) => {
      const inPlace = /^(?:test|bench)\//.test(file.path) || ENVIRONMENT_READERS.some((place) => isWithin(place, file.path))
      if (inPlace || !ts.isPropertyAccessExpression(node) || node.getText(file.ast) !== 'process.env') return []
      return [{ file: file.path, line: lineOf(file.ast, node), message: 'reads process.env' }]
    }),
}

export const NO_DEAD_FILES: Rule = {
  name: 'no-dead-files',
  reason: 'A file that nothing reaches is read, compiled and mended for nobody.',
  check: (tree) => {
    const tests = [...tree.files.keys()].filter((path) => path.endsWith('.test.ts'))
    const alive = reached(tree, [...tree.entries, ...tests])
    return [...tree.files.keys()]
      .filter((path) => !alive.has(path))
      .map((path) => ({ file: path, line: 1, message: 'is reached from no npm script and no test' }))
  },
}

export const WIRED: Rule = {
  name: 'wired',
  reason: 'Code that tests reach and the program does not is a promise that nobody keeps.',
  check: (tree) => {
    const alive = reached(
      tree,
      tree.entries.filter((path) => !path.startsWith('test/')),
    )
    return [...tree.files.keys()]
      .filter((path) => !path.startsWith('test/') && !alive.has(path))
      .map((path) => ({ file: path, line: 1, message: 'is reached from no npm script' }))
  },
}

function reached(tree: SourceTree, entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const { target } of tree.files.get(path)?.imports ?? []) if (target !== null) waiting.push(posix.normalize(target))
  }
  return seen
}

function everyNode(tree: SourceTree, check: (file: SourceFile, node: ts.Node) => Violation[]): Violation[] {
  return [...tree.files.values()].flatMap((file) => {
    const found: Violation[] = []
    const visit = (node: ts.Node): void => {
      found.push(...check(file, node))
      ts.forEachChild(node, visit)
    }
    visit(file.ast)
    return found
  })
}
