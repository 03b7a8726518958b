// Attacks by hosted code and on it.
import { testShortRuns } from './short-runs.ts'

testShortRuns('hosted-code')
