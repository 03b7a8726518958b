// What is said of the walls around the child is what the child found, and nothing is claimed that is not there.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { execPath, getuid, platform } from 'node:process'
import { test } from 'node:test'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { findConfinement } from '../../sandbox-pool/confinement.ts'
import { inspectLayers, LAYER_NAMES } from '../../sandbox-pool/layers.ts'
import { COMPUTING_NICE, RUN_WALL_MS, THREAD_NICE } from '../../sandbox-pool/limits.ts'
import { openStand, until } from '../support/sandbox-fixture.ts'

const SCHED_IDLE = 5

test('a process that nothing confines claims nothing', () => {
  const own = inspectLayers({ uid: getuid?.() ?? null, priority: getPriority() }, false)
  const { memoryLimit, noNetwork, noNewPrivileges, ...others } = own
  assert.deepEqual(others, { ownUser: false, lowPriority: false, emptyEnvironment: false, noInheritedFiles: false })
  // The machine itself may have put these around the tests.
  assert.deepEqual(
    [memoryLimit, noNetwork, noNewPrivileges].map((holds) => typeof holds),
    ['boolean', 'boolean', 'boolean'],
  )
})

test('the confinement that is found works, and programs that cannot be read are not started in it', async () => {
  const [program = execPath, ...given] = [...(await findConfinement(2, [execPath])), execPath, '-e', 'console.log(process.env)']
  assert.equal(execFileSync(program, given, { env: {}, cwd: '/', encoding: 'utf8' }), '{}\n')
  assert.deepEqual(await findConfinement(2, ['/there/is/no/such/file']), [])
})

test('a server that was started with the lowest priority has its sandbox too', () => {
  const script = processEntry(new URL('../support/sandbox-children/one-run.ts', import.meta.url))
  assert.equal(execFileSync('nice', ['-n', '19', execPath, ...script], { encoding: 'utf8' }), '42\n')
})

test('trials have the lowest priority, code of customers a higher one until it computes for long, and then the idle class', async () => {
  if (platform !== 'linux') return
  const stand = openStand({ threads: 2 })
  // Fields as in proc_pid_stat(5), counted from the state, which follows the name.
  const fieldOf = (stat: string, number: number): number => Number(stat.split(') ')[1]?.split(' ')[number - 3])
  const niceOf = (stat: string): number => fieldOf(stat, 19)
  const isIdleClass = (stat: string): boolean => fieldOf(stat, 41) === SCHED_IDLE
  try {
    await stand.value('function lookup() { return 1 }')
    const [pid = 0] = stand.pids()
    const child = niceOf(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    const nices = (): number[] => statsOfThreads(pid).map((stat) => niceOf(stat) - child)
    const nicesOfIdleClass = (): number[] =>
      statsOfThreads(pid)
        .filter(isIdleClass)
        .map((stat) => niceOf(stat) - child)
    for (const purpose of ['live', 'test', 'trial'] as const) await until(() => nices().includes(THREAD_NICE[purpose]))
    assert.ok(!nices().includes(COMPUTING_NICE))
    assert.deepEqual(nicesOfIdleClass(), [])
    // Looked at while code computes: on a busy machine one run may end before its thread had enough processor time.
    let seen: number[] = []
    let isComputing = false
    await until(() => {
      if (!isComputing) {
        isComputing = true
        void stand.run('function lookup() { for (;;); }', { timeoutMs: RUN_WALL_MS }).then(() => (isComputing = false))
      }
      seen = nicesOfIdleClass()
      return seen.includes(COMPUTING_NICE)
    })
    assert.deepEqual(new Set(seen), new Set([COMPUTING_NICE]))
  } finally {
    await stand.sandbox.close()
  }
})

test('each isolation layer that is reported is there, seen from outside', async () => {
  const stand = openStand({ threads: 2 })
  try {
    stand.sandbox.warm()
    await until(() => stand.sandbox.layers !== null)
    const layers = stand.sandbox.layers
    assert.ok(layers !== null)
    assert.deepEqual(Object.keys(layers).sort(), [...LAYER_NAMES].sort())
    // These need nothing of the machine.
    assert.ok(layers.emptyEnvironment && layers.noInheritedFiles, JSON.stringify(layers))
    const [pid = 0] = stand.pids()
    const ps = spawnSync('ps', ['-o', 'nice=,uid=', '-p', String(pid)], { encoding: 'utf8' })
    if (ps.status !== 0) return
    const [nice = 0, uid = 0] = ps.stdout.trim().split(/\s+/).map(Number)
    assert.deepEqual([nice > getPriority(), uid !== getuid?.()], [layers.lowPriority, layers.ownUser])
  } finally {
    await stand.sandbox.close()
  }
})

function statsOfThreads(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return [readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1')]
    } catch {
      // The thread has ended since.
      return []
    }
  })
}
