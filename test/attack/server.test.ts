// Attacks on the server and its log.
import { testShortRuns } from './short-runs.ts'

testShortRuns('server')
