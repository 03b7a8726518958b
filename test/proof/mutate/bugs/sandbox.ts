// Bugs in the placement of runs of hosted code, in the priority of their threads, and in the log of the runs.
import type { PlantedBug } from '../bug.ts'

const runs = (name: string, from: string, to: string): PlantedBug => ({
  name,
  file: 'sandbox-pool/child-runs.ts',
  from,
  to,
  tests: ['test/sandbox-pool/child-runs.test.ts'],
})

export const SANDBOX_BUGS: readonly PlantedBug[] = [
  {
    name: 'code that computes for long keeps the time slices of its nice value',
    file: 'sandbox-pool/thread-priority.ts',
    from: '      enterIdleClass()\n',
    to: '',
    tests: ['test/sandbox-pool/thread-runs.test.ts', 'test/sandbox-pool/layers.test.ts'],
  },
  runs(
    'a run returns to a thread that cancelled it',
    'this.#placement.threadFor(run, monotonicMs(), left) ?? this.#open(run.purpose),',
    'this.#placement.threadFor(run, monotonicMs()) ?? this.#open(run.purpose),',
  ),
  runs('a run that has fetched begins again', 'if (active.hasFetched || active.beginnings', 'if (active.beginnings'),
  runs('a thread ends runs that it no longer has', '    if (active?.thread !== thread) {\n', '    if (active === undefined) {\n'),
  runs('a run begins again without end', 'active.hasFetched || active.beginnings >= BEGINNINGS_MAX', 'active.hasFetched'),
  {
    name: 'the daily budget of code logs does not begin again',
    file: 'engine/domain/code-run/code-run-state.ts',
    from: 'return written?.day === dayOf(timeMs) ? written.length : 0',
    to: 'return written?.length ?? 0',
    tests: ['test/engine/domain/code-run/run-log.test.ts'],
  },
]
