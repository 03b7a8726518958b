// Attacks on sign-in, and the control.
import { testShortRuns } from './short-runs.ts'

testShortRuns('sign-in')
