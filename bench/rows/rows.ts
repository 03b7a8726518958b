// All rows in order.
import type { Row } from '../row.ts'
import { ROW_01 } from './row-01-single-payouts.ts'
import { ROW_02 } from './row-02-one-merchant.ts'
import { ROW_03 } from './row-03-batches.ts'
import { ROW_04 } from './row-04-latency.ts'
import { ROW_05 } from './row-05-accounts.ts'
import { ROW_06 } from './row-06-history.ts'
import { ROW_07 } from './row-07-recovery.ts'
import { ROW_08 } from './row-08-streams.ts'
import { ROW_09 } from './row-09-hosted-code.ts'
import { ROW_10 } from './row-10-overload.ts'
import { ROW_11 } from './row-11-cluster.ts'
import { ROW_12 } from './row-12-soak.ts'
import { ROW_13 } from './row-13-connections.ts'
import { ROW_14 } from './row-14-garbage.ts'
import { ROW_15 } from './row-15-disbursements.ts'
import { ROW_16 } from './row-16-rules.ts'

export const ROWS: readonly Row[] = [
  ROW_01,
  ROW_02,
  ROW_03,
  ROW_04,
  ROW_05,
  ROW_06,
  ROW_07,
  ROW_08,
  ROW_09,
  ROW_10,
  ROW_11,
  ROW_12,
  ROW_13,
  ROW_14,
  ROW_15,
  ROW_16,
]
