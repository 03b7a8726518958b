// The rows in their order.
import type { Row } from '../row.ts'
import { ROW_01 } from './row-01-single-payouts.ts'
import { ROW_02 } from './row-02-one-merchant.ts'

export const ROWS: readonly Row[] = [ROW_01, ROW_02]
