// Bugs in the placement of runs of hosted code, and in the priority of their threads.
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
]
