// Sources that break, and nearly break, the rules about the look of files and about dead ones.

import { COMMANDS } from './commands.ts'
import { COMMENT_PATHS } from './comment-paths.ts'
import { FULL_REFUSALS } from './full-refusals.ts'
import { NO_INHERITANCE } from './inheritance.ts'
import { NO_LITERAL_ACCESSORS } from './literal-accessors.ts'
import { OUTSIDE_BOUNDS } from './outside-bounds.ts'
import { PLAIN_WORDS } from './plain-words.ts'
import { RECIPIENT_DOOR } from './recipient-door.ts'
import type { Row } from './row.ts'
import {
  ENVIRONMENT,
  FILE_SIZE,
  FUNCTION_SIZE,
  HEADERS,
  KEBAB_CASE,
  NAMES,
  NO_DEAD_FILES,
  NO_EMPTY_CATCH,
  UNFINISHED_WORK,
  WIRED,
} from './shape.ts'

const statements = (count: number): string => 'x()\n'.repeat(count)

/** A noun with two commands: the first has a route, the second a timer. */
const NOUN = 'export const N = { commands: {\n  OpenIt: { decide: decideOpenIt },\n  CloseIt: {\n    decide: decideCloseIt },\n} }'
const TIMER = "\nconst timer = { type: 'CloseIt' }"
const NOUN_FILES = {
  'engine/domain/it/index.ts': NOUN + TIMER,
  'http/api/it/it-routes.ts': "const a = { commands: ['OpenIt'], submit: { type: 'OpenIt' } }",
}

export const SHAPE_ROWS: readonly Row[] = [
  {
    rule: COMMENT_PATHS,
    name: 'a file, a path and a folder that do not exist, in comments of each kind',
    given: {
      'engine/kernel/a.ts':
        '// See b.ts.\nconst a = 1 // as in kernel/c.ts\n/** Rows of engine/actor/, see kernel/a.ts */\n/**\n * As d.test.ts says.\n */',
      'test/kernel/b.ts': "import * as a from './a.ts'\nimport { c } from 'https://example.org/c.ts'\n",
    },
    then: ['engine/kernel/a.ts:2', 'engine/kernel/a.ts:3', 'engine/kernel/a.ts:5'],
  },
  {
    rule: COMMENT_PATHS,
    name: 'files, ends of paths and folders that exist, generated declarations and packages',
    given: {
      'engine/kernel/a.ts': '// See b.ts, domain/it/b.ts and engine/domain/it/; Node.js reads api.d.ts of http/2.\nconst a = "x.ts"',
      'engine/domain/it/b.ts': '',
      'http/2/c.js': '',
    },
    then: [],
  },
  {
    rule: NO_LITERAL_ACCESSORS,
    name: 'a literal of a function has a getter; one of a module, a class and a test may',
    given: {
      'engine/actor/a.ts': 'const a = () => ({\n  get b() { return 1 },\n  set b(c) {},\n})',
      'http/server/b.ts': 'export const A = { get b() { return 1 } }\nclass C { get d() { return { e() {} } } }',
      'test/c.ts': 'const a = () => ({ get b() { return 1 } })',
    },
    then: ['engine/actor/a.ts:2', 'engine/actor/a.ts:3'],
  },
  {
    rule: NO_INHERITANCE,
    name: 'a class that extends another one, by declaration and by expression; an error may, and so may an interface and a test',
    given: {
      'http/server/request.ts':
        'class A {}\nclass B extends A {}\nexport const C = class extends B {}\nabstract class D extends x.Base<A> {}',
      'http/server/listen.ts':
        'class ListenError extends Error {}\nclass E implements A {}\ninterface F extends A {}\nclass G<H extends A> {}',
      'test/http/a.test.ts': 'class A extends B {}',
    },
    then: ['http/server/request.ts:2', 'http/server/request.ts:3', 'http/server/request.ts:4'],
  },
  {
    rule: NO_INHERITANCE,
    name: 'a base class of the table that nothing extends any more',
    given: {
      'engine/kernel/table.ts': 'export class SnapshotTables {}',
      'http/client/src/resources/resource.ts': 'class Resource {}\nclass Charges extends Resource {}',
    },
    then: ['engine/kernel/table.ts:1'],
  },
  {
    rule: OUTSIDE_BOUNDS,
    name: 'a queue and a cache without a share, in a new file and beside a declared one',
    given: {
      'http/workers/planted.ts': 'export class Planted {\n  readonly #waiting: string[] = []\n  seen = 0\n}',
      'http/server/rate-limit.ts': 'class A {\n  readonly #buckets = new Map<number, number>()\n  readonly #planted = new Set<string>()\n}',
    },
    then: ['http/workers/planted.ts:2', 'http/server/rate-limit.ts:3'],
  },
  {
    rule: OUTSIDE_BOUNDS,
    name: 'a table of a quota that no file declares',
    given: {
      'http/api/stream/tickets.ts':
        'class A {\n  readonly #rows = new Map<string, number>()\n  readonly #byAccount = new Map<string, number>()\n}',
      'http/api/stream/stream-limits.ts': "export const STREAM_TICKETS = { name: 'tickets' }",
    },
    then: ['http/api/stream/tickets.ts:1', 'http/api/stream/tickets.ts:1'],
  },
  {
    rule: FULL_REFUSALS,
    name: 'a full table that answers as a rate limit or a fault of the service does, and one that names its quota',
    given: {
      'http/workers/planted.ts': "const a = 1\nif (!has) call.refuse('rate_limited')",
      'http/api/other.ts': "return new Fault('unavailable')",
      'http/api/right.ts': "call.refuse('quota_exceeded', 'things')",
      'http/server/steps/rights.ts': "return new Fault('rate_limited')",
    },
    then: ['http/workers/planted.ts:2', 'http/api/other.ts:1'],
  },
  {
    rule: OUTSIDE_BOUNDS,
    name: 'a row of the table whose collection is gone',
    given: { 'http/server/rate-limit.ts': 'class A {}' },
    then: ['http/server/rate-limit.ts:1'],
  },
  {
    rule: RECIPIENT_DOOR,
    name: 'a decision that a merchant asks for looks at no wallet by its name, and a query may',
    given: {
      'engine/domain/payout/payout-decide.ts': 'const a = 1\nexport const b = state.wallets.payeeOf(environment, recipient)',
      'engine/domain/mandate/mandate-decide.ts': 'export const b = state.wallets.byAccount(account)',
      'engine/query/wallet-queries.ts': 'export const b = state.wallets.byTag(environment, tag)',
    },
    then: ['engine/domain/payout/payout-decide.ts:2'],
  },
  {
    rule: COMMANDS,
    name: 'commands that a route and a timer submit are fine, also where a route computes the name',
    given: {
      ...NOUN_FILES,
      'http/api/it/other-routes.ts': "const a = (type: 'OpenIt') => ({ commands: [type] })\na('OpenIt')",
      'http/api/it/third-routes.ts': "import { pin } from '../pin.ts'\nconst a = { commands: ['CloseIt'] }",
      'http/pin.ts': "export const pin = { type: 'CloseIt' }",
    },
    then: [],
  },
  {
    rule: COMMANDS,
    name: 'a command that nothing submits, and one with the decider of another',
    given: {
      'engine/domain/it/index.ts': NOUN.replace('decideOpenIt', 'decideCloseIt'),
      'http/a.ts': "type A = 'CloseIt'",
      'engine/domain/it/it-decide.ts': "const type = 'CloseIt'",
    },
    then: ['engine/domain/it/index.ts:2', 'engine/domain/it/index.ts:3'],
  },
  {
    rule: COMMANDS,
    name: 'a route that names a command that it does not submit, and submits one that it does not name',
    given: { ...NOUN_FILES, 'http/api/it/it-routes.ts': "const a = { commands: ['CloseIt'] }\nsubmit({ type: 'OpenIt' })" },
    then: ['http/api/it/it-routes.ts:1', 'http/api/it/it-routes.ts:2'],
  },
  {
    rule: PLAIN_WORDS,
    name: 'comments and texts that must be decoded',
    given: {
      'http/a.ts': "// Nobody waits.\nexport const TEXT = 'whatever it says'",
      'wal/b.ts': '// The log that was told to stop.\n// A table of hours.',
      'test/c.test.ts': '// Tests may name anybody.',
      'bench/rivals/postgres-cluster.ts': "const users = ['nobody', 'postgres'] // `nobody` has no files",
    },
    then: ['http/a.ts:1', 'http/a.ts:2', 'wal/b.ts:1'],
  },
  {
    rule: FILE_SIZE,
    name: 'long, too long, and just right',
    given: { 'http/a.ts': statements(301), 'http/b.ts': statements(501), 'http/c.ts': statements(300) },
    then: ['http/b.ts:501', 'http/a.ts:301'],
  },
  {
    rule: FUNCTION_SIZE,
    name: 'functions, methods and arrows of 71 lines',
    given: {
      'http/a.ts': `function f() {\n${statements(69)}}`,
      'http/b.ts': `\n/** Not counted. */\nclass A {\n  m() {\n${statements(68)}}}`,
      'http/c.ts': `const f = () => {\n${statements(68)}}`,
    },
    then: ['http/a.ts:1'],
  },
  {
    rule: FUNCTION_SIZE,
    name: 'a test is a function, a suite of tests is none',
    given: { 'test/a.test.ts': `describe('s', () => {\ntest('t', () => {\n${statements(70)}})\n})` },
    then: ['test/a.test.ts:2'],
  },
  {
    rule: HEADERS,
    name: 'a comment first',
    given: {
      'wal/a.ts': 'export {}\n// late',
      'wal/b.ts': '#!/usr/bin/env node\n// first',
      'wal/c.ts': '/** first */',
      'bench/d.ts': '\n// second',
    },
    then: ['wal/a.ts:1', 'bench/d.ts:1'],
  },
  {
    rule: NAMES,
    name: 'files, folders and types that say nothing',
    given: {
      'http/string-utils.ts': '',
      'http/helpers/a.css': '',
      'http/b.ts': '\nclass SessionManager {}\nclass Utility {}',
      'http/c.ts': 'const serviceSignature = 1',
    },
    then: ['http/string-utils.ts:1', 'http/helpers/a.css:1', 'http/b.ts:2'],
  },
  {
    rule: KEBAB_CASE,
    name: 'camels and underscores',
    given: {
      'http/webHook.ts': '',
      'http/Pages/a.css': '',
      'http/a_b.ts': '',
      'http/web-hook.v2.test.ts': '',
      'test/golden/PayoutPaid@1.json': '',
    },
    then: ['http/webHook.ts:1', 'http/Pages/a.css:1', 'http/a_b.ts:1'],
  },
  {
    rule: UNFINISHED_WORK,
    name: 'notes without an owner',
    given: { 'http/a.ts': `// ${'TO'}DO: later\n// ${'FIX'}ME(awa): the second page\n// ${'TO'}DO(awa) no colon\n// methods` },
    then: ['http/a.ts:1', 'http/a.ts:3'],
  },
  {
    rule: NO_EMPTY_CATCH,
    name: 'errors that vanish',
    given: {
      'http/a.ts':
        'try { a() } catch {}\np.catch(() => {})\ntry { a() } catch { // gone already\n}\ntry { a() } catch (error) { report(error) }',
    },
    then: ['http/a.ts:1', 'http/a.ts:2'],
  },
  {
    rule: ENVIRONMENT,
    name: 'a setting that is read on the way',
    given: {
      'http/server/http-server.ts': "\nconst port = process.env['PORT']",
      'sandbox-pool/pool.ts': 'spawn({ env: { ...process.env } })',
      'http/main.ts': 'readSettings(process.env)',
      'bench/main.ts': 'process.env.DIR',
    },
    then: ['http/server/http-server.ts:2', 'sandbox-pool/pool.ts:1'],
  },
  {
    rule: NO_DEAD_FILES,
    name: 'what nothing starts',
    given: {
      'http/main.ts': "import './a.ts'\nfork('wal/child.ts')",
      'http/a.ts': '',
      'wal/child.ts': '',
      'http/dead.ts': "import './deader.ts'",
      'http/deader.ts': '',
      'test/x.test.ts': "import './x.ts'",
      'test/x.ts': '',
    },
    entries: ['http/main.ts'],
    then: ['http/dead.ts:1', 'http/deader.ts:1'],
  },
  {
    rule: WIRED,
    name: 'what only a test starts',
    given: {
      'http/main.ts': "import './a.ts'",
      'http/a.ts': '',
      'http/b.ts': '',
      'test/b.test.ts': "import '../http/b.ts'",
      'test/proof/crash/main.ts': "import '../../../http/b.ts'",
    },
    entries: ['http/main.ts', 'test/proof/crash/main.ts'],
    then: ['http/b.ts:1'],
  },
]
