// The synchronous standby of a test, stopped and resumed.
import assert from 'node:assert/strict'
import type { PostgresPair } from './postgres.ts'

/** Stops the standby's WAL receiver, so that no commit is confirmed; returns the function that lets it go on. */
export async function stopReplication({ standby }: PostgresPair): Promise<() => void> {
  const [receiver] = await standby.run<{ pid: number }>('select pid from pg_stat_wal_receiver')
  assert.ok(receiver !== undefined)
  process.kill(receiver.pid, 'SIGSTOP')
  return () => process.kill(receiver.pid, 'SIGCONT')
}

/** How many commits wait for the standby. */
export async function waitingCommits({ primary }: PostgresPair): Promise<number> {
  const [row] = await primary.run<{ count: string }>("select count(*) from pg_stat_activity where wait_event = 'SyncRep'")
  return Number(row?.count)
}
