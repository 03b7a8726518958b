// Runs simulated clusters by their seeds, each twice: what differs between the two runs is a hidden clock, randomness or order.
import { type ClusterFigures, type ClusterResult, noClusterFigures } from './cluster-figures.ts'
import { ClusterWorld } from './cluster-world.ts'

export interface ClusterFailure {
  readonly seed: number
  readonly error: unknown
}

export interface ClusterSeedsReport {
  readonly figures: ClusterFigures
  readonly failures: readonly ClusterFailure[]
}

/** Text of a failed seed, with the command that repeats it. */
export function clusterFailureText({ seed, error }: ClusterFailure): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `seed ${seed} failed; again: node --import tsx test/proof/cluster/simulator/main.ts --from ${seed} --seeds 1\n${what}`
}

const runCluster = (seed: number): Promise<ClusterResult> => new ClusterWorld(seed).run()

export async function runClusterSeeds(from: number, count: number, failuresMax = 3): Promise<ClusterSeedsReport> {
  const failures: ClusterFailure[] = []
  const figures = noClusterFigures()
  for (let seed = from; seed < from + count && failures.length < failuresMax; seed++) {
    try {
      const first = await runCluster(seed)
      const second = await runCluster(seed)
      if (first.hash !== second.hash) throw new Error(`two runs of the same seed differ: ${first.hash} and ${second.hash}`)
      for (const name of Object.keys(figures) as (keyof ClusterFigures)[]) figures[name] += first.figures[name]
    } catch (error) {
      failures.push({ seed, error })
    }
  }
  return { figures, failures }
}
