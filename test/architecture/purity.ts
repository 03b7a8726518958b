// What engine/ may not do: read a clock, draw randomness, wait, or touch anything outside its arguments.
import ts from 'typescript'
import { lineOf, type SourceFile } from './source-tree.ts'
import type { Exception, Rule, Violation } from './violation.ts'

type Ban = 'date' | 'randomness' | 'timers' | 'waiting' | 'host' | 'locale' | 'modules'

/** Where a ban does not hold, and why that keeps replay and simulation exact. */
const EXCEPTIONS: readonly (Exception & { readonly ban: Ban })[] = [
  { ban: 'date', file: 'engine/kernel/time.ts', reason: 'writes and reads a time that was passed in' },
  { ban: 'date', file: 'engine/contract/time-text.ts', reason: 'reads a time out of a text' },
  { ban: 'modules', file: 'engine/actor/record-codec.ts', reason: 'SHA-256 and CRC-32 are functions of their bytes' },
  { ban: 'waiting', file: 'engine/actor/ports.ts', reason: 'declares what adapters do; waits for nothing itself' },
  { ban: 'waiting', file: 'engine/actor/replay.ts', reason: 'reads the log before the first turn; no decision waits for it' },
  { ban: 'waiting', file: 'engine/actor/engine.ts', reason: 'opening and closing happen before the first and after the last turn' },
]

/** Names that the codec may take from built-in modules. */
const PURE_BUILTINS: ReadonlyMap<string, readonly string[]> = new Map([
  ['node:crypto', ['createHash', 'hash']],
  ['node:zlib', ['crc32']],
])

const BANNED_NAMES: Readonly<Record<Exclude<Ban, 'date' | 'modules'>, readonly string[]>> = {
  randomness: ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'crypto', 'webcrypto'],
  timers: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  waiting: ['Promise', 'AsyncIterable', 'AsyncIterator', 'AsyncGenerator'],
  host: [
    'process',
    'globalThis',
    'global',
    'console',
    'fetch',
    'performance',
    'require',
    'eval',
    'Function',
    'WeakRef',
    'FinalizationRegistry',
    'SharedArrayBuffer',
    'Atomics',
  ],
  locale: ['Intl', 'localeCompare', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', 'toLocaleLowerCase', 'toLocaleUpperCase'],
}

/** Words that stand for something else when they follow a dot; `x.process` is not the process. */
const BANNED_AS_MEMBER = new Set([
  'randomUUID',
  'randomBytes',
  'getRandomValues',
  'nextTick',
  'localeCompare',
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
  'toLocaleLowerCase',
  'toLocaleUpperCase',
])

const BAN_OF_NAME: ReadonlyMap<string, Ban> = new Map(
  Object.entries(BANNED_NAMES).flatMap(([ban, names]) => names.map((name): [string, Ban] => [name, ban as Ban])),
)

export const PURE_ENGINE: Rule = {
  name: 'pure-engine',
  reason: 'What the engine does must depend on commands, times and ids alone, or a replay could differ from what was acknowledged.',
  check: (tree) => {
    const engine = [...tree.files.values()].filter(({ path }) => path.startsWith('engine/'))
    return [...engine.flatMap(impurities), ...EXCEPTIONS.flatMap((exception) => stale(exception, tree.files.get(exception.file)))]
  },
}

function impurities(file: SourceFile): Violation[] {
  return findings(file)
    .filter(({ ban }) => ban === null || !EXCEPTIONS.some((exception) => exception.file === file.path && exception.ban === ban))
    .map(({ violation }) => violation)
}

/** An exception whose file is in the tree and needs it no more. */
function stale(exception: (typeof EXCEPTIONS)[number], file: SourceFile | undefined): Violation[] {
  if (file === undefined || findings(file).some(({ ban }) => ban === exception.ban)) return []
  return [{ file: file.path, line: 1, message: `needs no exception for "${exception.ban}" any more: take its row out of the table` }]
}

interface Finding {
  /** Null: no exception excuses it. */
  readonly ban: Ban | null
  readonly violation: Violation
}

function findings(file: SourceFile): Finding[] {
  const found: Finding[] = []
  const visit = (node: ts.Node): void => {
    const problem = problemOf(node)
    if (problem !== null) {
      found.push({ ban: problem.ban, violation: { file: file.path, line: lineOf(file.ast, node), message: problem.message } })
    }
    ts.forEachChild(node, visit)
  }
  visit(file.ast)
  return [...found, ...moduleFindings(file)]
}

type Problem = { readonly ban: Ban | null; readonly message: string } | null

function problemOf(node: ts.Node): Problem {
  if (ts.isAwaitExpression(node)) return { ban: 'waiting', message: 'awaits' }
  if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) return { ban: 'waiting', message: 'awaits in a loop' }
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return { ban: 'waiting', message: 'is asynchronous' }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return { ban: null, message: 'imports at run time' }
  return ts.isIdentifier(node) ? identifierProblem(node) : null
}

function identifierProblem(node: ts.Identifier): Problem {
  const name = node.text
  if (isDeclarationOrKey(node)) return null
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
  if (name === 'random' && isMember && node.parent.getText().startsWith('Math.')) return { ban: 'randomness', message: 'uses Math.random' }
  if (name === 'Date' && !isMember) return dateProblem(node)
  const ban = BAN_OF_NAME.get(name)
  if (ban === undefined || (isMember && !BANNED_AS_MEMBER.has(name))) return null
  return { ban, message: `uses ${name}` }
}

/** Reading the clock is never excused; working with a time that was passed in is, in the files of the table. */
function dateProblem(node: ts.Identifier): Problem {
  const { parent } = node
  const readsClock =
    (ts.isPropertyAccessExpression(parent) && parent.name.text === 'now') ||
    (ts.isNewExpression(parent) && (parent.arguments === undefined || parent.arguments.length === 0)) ||
    (ts.isCallExpression(parent) && parent.expression === node)
  return readsClock ? { ban: null, message: 'reads the clock' } : { ban: 'date', message: 'uses Date' }
}

/** `{ process: 1 }`, `process(): void` and `readonly process: string` name something of their own. */
function isDeclarationOrKey(node: ts.Identifier): boolean {
  const { parent } = node
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent)) &&
    parent.name === node
  )
}

function moduleFindings(file: SourceFile): Finding[] {
  return file.imports.flatMap((entry): Finding[] => {
    if (entry.target !== null || !entry.specifier.startsWith('node:')) return []
    const pure = PURE_BUILTINS.get(entry.specifier)
    const isPure = pure !== undefined && entry.names.length > 0 && entry.names.every((name) => pure.includes(name))
    const message = `imports ${entry.names.join(', ') || 'everything'} from ${entry.specifier}`
    return [{ ban: isPure ? 'modules' : null, violation: { file: file.path, line: entry.line, message } }]
  })
}
