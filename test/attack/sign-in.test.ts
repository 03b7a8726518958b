// Attacks on sign-in.
import { testShortRuns } from './short-runs.ts'

testShortRuns('sign-in')
