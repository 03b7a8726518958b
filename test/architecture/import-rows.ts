// Sources that break, and nearly break, the rules about imports, purity and state.
import { ENGINE_DOOR } from './engine-door.ts'
import { DECIDE_NEVER_EVOLVES, FLOORS, NO_CYCLES, NOUNS } from './floors.ts'
import { HTTP_IMPORTS_GO_DOWN } from './http-floors.ts'
import { BUILTINS, PACKAGES } from './packages.ts'
import { PURE_ENGINE } from './purity.ts'
import type { Row } from './row.ts'

export const IMPORT_ROWS: readonly Row[] = [
  {
    rule: HTTP_IMPORTS_GO_DOWN,
    name: 'a route does not import a page, nor the server a route',
    given: {
      'http/api/payouts/a.ts': "import '../../pages/b.ts'\nimport '../../server/c.ts'",
      'http/server/c.ts': "import type { A } from '../api/payouts/a.ts'",
    },
    then: ['http/api/payouts/a.ts:1', 'http/server/c.ts:1'],
  },
  {
    rule: HTTP_IMPORTS_GO_DOWN,
    name: 'a room of the dashboard does not import a room above',
    given: { 'http/pages/dashboard/lists/a.ts': "import '../shared/b.ts'\nimport '../pay-out/c.ts'" },
    then: ['http/pages/dashboard/lists/a.ts:2'],
  },
  {
    rule: HTTP_IMPORTS_GO_DOWN,
    name: 'a file beside main.ts is on no floor',
    given: { 'http/loose.ts': '', 'http/main.ts': '', 'http/api/payouts/a.ts': '' },
    then: ['http/loose.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'the engine does not import an adapter',
    given: { 'engine/actor/turn.ts': "import { a } from './b.ts'\nimport { open } from '../../wal/log/lmdb-log.ts'" },
    then: ['engine/actor/turn.ts:2'],
  },
  {
    rule: FLOORS,
    name: 'not even its types',
    given: { 'engine/ledger/hold.ts': "import type { Charge } from '../domain/charge/charge-state.ts'" },
    then: ['engine/ledger/hold.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'not by an inline type, an export, a call, or a worker',
    given: {
      'engine/kernel/a.ts':
        "type A = import('../ledger/b.ts').B\nexport { c } from '../ledger/c.ts'\nimport('../ledger/d.ts')\nnew URL('../ledger/e.ts', import.meta.url)",
    },
    then: ['engine/kernel/a.ts:1', 'engine/kernel/a.ts:2', 'engine/kernel/a.ts:3', 'engine/kernel/a.ts:4'],
  },
  {
    rule: FLOORS,
    name: 'the two adapters do not see each other',
    given: { 'wal/a.ts': "import '../sandbox-pool/b.ts'", 'sandbox-pool/b.ts': "import '../wal/a.ts'" },
    then: ['wal/a.ts:1', 'sandbox-pool/b.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'no floor of the log may use the sandbox',
    given: {
      'wal/log/a.ts': "import '../../sandbox-pool/x.ts'",
      'wal/tools/b.ts': "import '../../sandbox-pool/x.ts'",
      'sandbox-pool/x.ts': '',
    },
    then: ['wal/log/a.ts:1', 'wal/tools/b.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'tools may use the folder, the folder may use the log, and not the other way round',
    given: {
      'wal/tools/a.ts': "import '../folder/b.ts'",
      'wal/folder/b.ts': "import '../log/c.ts'\nimport '../tools/a.ts'",
      'wal/log/c.ts': "import '../folder/b.ts'\nimport '../archive/d.ts'",
      'wal/archive/d.ts': '',
    },
    then: ['wal/folder/b.ts:2', 'wal/log/c.ts:1', 'wal/log/c.ts:2'],
  },
  {
    rule: FLOORS,
    name: 'the contract sees the kernel, not the other way round',
    given: { 'engine/contract/a.ts': "import '../kernel/b.ts'", 'engine/kernel/b.ts': "import '../contract/a.ts'" },
    then: ['engine/kernel/b.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'no other folder imports tests or the bench, and the bench imports no test',
    given: {
      'http/main.ts': "import '../bench/a.ts'",
      'bench/a.ts': "import '../test/b.ts'\nimport '../http/main.ts'",
      'test/b.ts': "import '../bench/a.ts'",
    },
    then: ['http/main.ts:1', 'bench/a.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'every file belongs to a layer',
    given: { 'engine/loose.ts': "import './kernel/a.ts'", 'http/a.ts': "import '../tools/b.ts'" },
    then: ['engine/loose.ts:1', 'http/a.ts:1'],
  },
  {
    rule: FLOORS,
    name: 'down is fine',
    given: {
      'http/a.ts': "import '../wal/b.ts'\nimport '../engine/kernel/c.ts'",
      'engine/domain/bill/bill-decide.ts': "import '../../ledger/hold.ts'",
    },
    then: [],
  },
  {
    rule: FLOORS,
    name: 'queries stand above the actor and below the door',
    given: {
      'engine/actor/a.ts': "import '../query/b.ts'",
      'engine/query/b.ts': "import '../actor/a.ts'\nimport '../api.ts'",
      'engine/api.ts': "import './query/b.ts'",
    },
    then: ['engine/actor/a.ts:1', 'engine/query/b.ts:2'],
  },
  {
    rule: ENGINE_DOOR,
    name: 'http asks queries by name, the log asks none',
    given: {
      'http/a.ts': "import { listPayouts } from '../engine/query/payout-queries.ts'\nimport '../engine/api.ts'",
      'wal/log/b.ts': "\nimport '../../engine/api.ts'",
      'engine/api.ts': "import './query/payout-queries.ts'",
      'engine/query/payout-queries.ts': "import './list-page.ts'",
    },
    then: ['http/a.ts:1', 'wal/log/b.ts:2'],
  },
  {
    rule: ENGINE_DOOR,
    name: 'http imports the door, the contract and the kernel, and the composition root may open the engine',
    given: {
      'http/api/a.ts':
        "import '../../engine/actor/a.ts'\nimport type { B } from '../../engine/domain/b.ts'\nimport '../../engine/ledger/c.ts'",
      'http/api/b.ts': "import '../../engine/api.ts'\nimport '../../engine/contract/a.ts'\nimport '../../engine/kernel/a.ts'",
      'http/main.ts': "import '../engine/actor/a.ts'",
      'http/app/a.ts': "import '../../engine/actor/a.ts'",
    },
    then: ['http/api/a.ts:1', 'http/api/a.ts:2', 'http/api/a.ts:3'],
  },
  {
    rule: NOUNS,
    name: "a noun does not use another noun's decisions",
    given: {
      'engine/domain/bill/bill-decide.ts':
        "import { pay } from '../charge/charge-decide.ts'\nimport type { Quote } from '../quote/quote-state.ts'",
    },
    then: ['engine/domain/bill/bill-decide.ts:1'],
  },
  {
    rule: NOUNS,
    name: 'a new noun does not plan a transaction past the rules of movements',
    given: {
      'engine/domain/voucher/voucher-decide.ts':
        "import { PlannedTransaction } from '../rules/planned-transaction.ts'\nimport { MovementRules } from '../rules/movement-rules.ts'",
    },
    then: ['engine/domain/voucher/voucher-decide.ts:1'],
  },
  {
    rule: NOUNS,
    name: 'the shared files of the domain and its own are fine',
    given: {
      'engine/domain/bill/bill-decide.ts': "import '../decision.ts'\nimport './bill-evolve.ts'\nimport '../operator/operator-decide.ts'",
    },
    then: [],
  },
  {
    rule: DECIDE_NEVER_EVOLVES,
    name: 'a decision does not apply events',
    given: {
      'engine/domain/bill/bill-decide.ts': "import { apply } from './bill-evolve.ts'",
      'engine/domain/bill/bill-pay-decide.ts': "import type { Apply } from './bill-evolve.ts'",
    },
    then: ['engine/domain/bill/bill-decide.ts:1'],
  },
  {
    rule: NO_CYCLES,
    name: 'three files in a ring',
    given: { 'http/a.ts': "import './b.ts'", 'http/b.ts': "\nimport './c.ts'", 'http/c.ts': "\n\nimport type { A } from './a.ts'" },
    then: ['http/c.ts:3'],
  },
  {
    rule: NO_CYCLES,
    name: 'two ways to the same file are no ring, and a worker may import what starts it',
    given: {
      'http/a.ts': "import './b.ts'\nimport './c.ts'",
      'http/b.ts': "import './c.ts'",
      'http/c.ts': "new URL('./a.ts', import.meta.url)",
    },
    then: [],
  },
  {
    rule: PACKAGES,
    name: 'a package has its place',
    given: { 'http/a.ts': "import { open } from 'lmdb'", 'wal/a.ts': "import { open } from 'lmdb'" },
    then: ['http/a.ts:1'],
  },
  {
    rule: PACKAGES,
    name: 'a package that is in no row',
    given: { 'http/a.ts': "import x from '@scope/unknown/part'" },
    then: ['http/a.ts:1'],
  },
  {
    rule: PACKAGES,
    name: 'a second importer',
    given: { 'http/a.ts': "import p from 'pino'", 'http/b.ts': "\nimport p from 'pino'", 'test/c.ts': "import p from 'pino'" },
    then: ['http/a.ts:1', 'http/b.ts:2'],
  },
  {
    rule: PACKAGES,
    name: 'an exception is for one file and one package',
    given: {
      'http/server/body/validation.ts': "import { TypeCompiler } from '@sinclair/typebox/compiler'\nimport lmdb from 'lmdb'",
      'http/server/route.ts': "import type { TSchema } from '@sinclair/typebox'",
    },
    then: ['http/server/body/validation.ts:2', 'http/server/route.ts:1'],
  },
  {
    rule: BUILTINS,
    name: 'the network, processes and threads have few doors',
    given: {
      'http/routes/a.ts':
        "import { request } from 'node:https'\nimport { spawn } from 'node:child_process'\nimport { join } from 'node:path'",
      'http/outbound/a.ts': "import { connect } from 'node:tls'",
      'http/server/reply.ts': "import { STATUS_CODES } from 'node:http'\nimport { STATUS_CODES as codes, request } from 'node:http'",
    },
    then: ['http/routes/a.ts:1', 'http/routes/a.ts:2', 'http/server/reply.ts:2'],
  },
  {
    rule: BUILTINS,
    name: 'node:vm nowhere, unknown modules nowhere, names with node:',
    given: { 'sandbox-pool/a.ts': "import 'node:vm'\nimport 'node:sqlite'\nimport 'fs'" },
    then: ['sandbox-pool/a.ts:1', 'sandbox-pool/a.ts:2', 'sandbox-pool/a.ts:3'],
  },
  {
    rule: PURE_ENGINE,
    name: 'no clock, no randomness, no timers',
    given: {
      'engine/actor/a.ts':
        'Date.now()\nnew Date()\nMath.random()\nsetTimeout(f, 1)\nqueueMicrotask(f)\ncrypto.randomUUID()\nperformance.now()\nprocess.hrtime()',
    },
    then: [1, 2, 3, 4, 5, 6, 6, 7, 8].map((line) => `engine/actor/a.ts:${line}`),
  },
  {
    rule: PURE_ENGINE,
    name: 'no waiting',
    given: { 'engine/domain/a.ts': 'async function f() {\n  await g()\n}\nlet p: Promise<void>\nfor await (const x of y) x()' },
    then: [1, 2, 4, 5].map((line) => `engine/domain/a.ts:${line}`),
  },
  {
    rule: PURE_ENGINE,
    name: 'no modules but the pure parts of two, and those in the codec only',
    given: {
      'engine/actor/record-codec.ts':
        "import { createHash } from 'node:crypto'\nimport { createHmac } from 'node:crypto'\nimport fs from 'node:fs'",
      'engine/actor/turn.ts': "import { createHash } from 'node:crypto'\nimport('./b.ts')",
    },
    then: ['engine/actor/record-codec.ts:2', 'engine/actor/record-codec.ts:3', 'engine/actor/turn.ts:2', 'engine/actor/turn.ts:1'],
  },
  {
    rule: PURE_ENGINE,
    name: 'the clock is refused also where dates are written',
    given: { 'engine/kernel/time.ts': 'new Date(ms).toISOString()\nDate.now()\nnew Date()', 'engine/kernel/amount.ts': 'new Date(ms)' },
    then: ['engine/kernel/time.ts:2', 'engine/kernel/time.ts:3', 'engine/kernel/amount.ts:1'],
  },
  {
    rule: PURE_ENGINE,
    name: 'an exception that nothing needs is refused',
    given: { 'engine/actor/replay.ts': 'export const a = 1' },
    then: ['engine/actor/replay.ts:1'],
  },
  {
    rule: PURE_ENGINE,
    name: 'names of its own, numbers, and other folders are fine',
    given: {
      'engine/domain/a.ts': 'const row = { process: 1 }\nrow.process\nMath.max(1, 2)\ninterface A { fetch(): void }',
      'wal/a.ts': 'await Date.now()',
    },
    then: [],
  },
]
