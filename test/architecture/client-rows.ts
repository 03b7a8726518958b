// Sources that break the rules about the client: a package of its own.
import { FLOORS } from './floors.ts'
import { BUILTINS } from './packages.ts'
import type { Row } from './row.ts'

export const CLIENT_ROWS: readonly Row[] = [
  {
    rule: FLOORS,
    name: 'the client imports nothing of the server, and the server its reader of payment files alone; its build may',
    given: {
      'http/client/src/a.ts': "import type { B } from '../../text/b.ts'\nimport { c } from '../../../engine/kernel/c.ts'",
      'http/client/build/d.ts': "import '../../openapi/e.ts'\nimport '../src/a.ts'",
      'http/api/payouts/f.ts': "import '../../client/src/a.ts'\nimport '../../client/src/payment-file/g.ts'",
      'http/client/src/payment-file/g.ts': "import '../errors.ts'\nimport '../../../text/h.ts'",
    },
    then: [
      'http/client/src/a.ts:1',
      'http/client/src/a.ts:2',
      'http/api/payouts/f.ts:1',
      'http/client/src/payment-file/g.ts:1',
      'http/client/src/payment-file/g.ts:2',
    ],
  },
  {
    rule: BUILTINS,
    name: 'programs with the client run on workers, so only its commands import built-in modules',
    given: {
      'http/client/src/a.ts': "import { setTimeout } from 'node:timers/promises'\nimport type { Socket } from 'node:net'",
      'http/client/src/cli/b.ts': "import { setTimeout } from 'node:timers/promises'",
    },
    then: ['http/client/src/a.ts:1'],
  },
]
