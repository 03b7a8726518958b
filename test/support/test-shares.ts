// Which test files share a process of `npm test`, and the order in which the processes start.

interface Share {
  /** Start of the paths. */
  readonly paths: string
  readonly filesPerProcess: number
}

/**
 * In the order of their start: what takes longest, or waits most of its time, comes first, and the smallest come last, so that no core idles
 * behind a last file. Files with a process of their own end processes, load the machine, or take long.
 */
export const SHARES: readonly Share[] = [
  ...alone('pages/shop-days', 'proof/attack/attacks', 'proof/simulate/simulate', 'sandbox-pool/crossing', 'pages/client-faults'),
  ...alone('pages/docs-examples', 'proof/attack/http-attacks', 'wal/tools/', 'http/api/webhooks/deliveries', 'proof/attack/'),
  ...alone('proof/fuzz/fuzz', 'e2e/cloned-engine'),
  { paths: 'test/pages/', filesPerProcess: 13 },
  ...alone('proof/cluster/', 'proof/crash/'),
  { paths: 'test/wal/cluster/', filesPerProcess: 14 },
  { paths: 'test/e2e/', filesPerProcess: 28 },
  { paths: 'test/wal/', filesPerProcess: 14 },
  { paths: 'test/sandbox-pool/', filesPerProcess: 12 },
  { paths: 'test/http/', filesPerProcess: 28 },
  { paths: 'test/bench/', filesPerProcess: 6 },
  { paths: 'test/', filesPerProcess: 28 },
]

function alone(...paths: readonly string[]): readonly Share[] {
  return paths.map((path) => ({ paths: `test/${path}`, filesPerProcess: 1 }))
}
