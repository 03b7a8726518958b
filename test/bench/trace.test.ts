// The stall tracer: pairs of system calls, the work of a profile, and the causes that it names.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { causesOf, type Evidence } from '../../bench/trace/causes.ts'
import { DiskCallParser } from '../../bench/trace/disk-calls.ts'
import { ProfileStacks } from '../../bench/trace/profile-stacks.ts'
import { TRACE_VARIABLE, type TraceFile } from '../../bench/trace/trace-file.ts'

const ALL = { fromUs: 0, toUs: 1e6 }
const ms = (fromMs: number, toMs: number) => ({ fromUs: fromMs * 1000, toUs: toMs * 1000 })

test('entries and exits of system calls are paired by thread and call', () => {
  const parser = new DiskCallParser()
  for (const line of [
    ' 12 1.000000000:  syscalls:sys_enter_pwrite64: fd: 0x0000001a, buf: 0x1, count: 0x1000, pos: 0x0',
    ' 13 1.000100000: syscalls:sys_enter_fdatasync: fd: 0x00000016',
    ' 12 1.000250000:   syscalls:sys_exit_pwrite64: 0x1000',
    ' 13 1.002100000:  syscalls:sys_exit_fdatasync: 0x0',
    ' 14 1.003000000:  syscalls:sys_exit_fdatasync: 0x0',
    '# a comment of perf',
  ])
    parser.push(line)
  const seen = parser.calls.map(({ call, file, fromUs, toUs }) => [call, file, Math.round(toUs - fromUs)])
  assert.deepEqual(seen, [
    ['pwrite64', 26, 250],
    ['fdatasync', 22, 2000],
  ])
})

test('the work of a stall is named after the most specific function on the stack', () => {
  const href = (path: string): string => `${new URL('../..', import.meta.url).href}${path}`
  const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 0, columnNumber: 0 })
  const stacks = new ProfileStacks({
    nodes: [
      { id: 1, callFrame: frame('(root)', ''), children: [2, 5] },
      { id: 2, callFrame: frame('afterFlush', href('engine/actor/engine.ts')), children: [3] },
      { id: 3, callFrame: frame('captureSnapshot', href('engine/actor/snapshot.ts')), children: [4] },
      { id: 4, callFrame: frame('capture', href('engine/kernel/changed-blocks.ts')) },
      { id: 5, callFrame: frame('(idle)', '') },
    ],
    startTime: 0,
    samples: [5, 4, 4, 2, 5],
    timeDeltas: [1000, 1000, 1000, 1000, 1000],
  })
  assert.deepEqual(stacks.mainWork({ fromUs: 1500, toUs: 4500 }), { work: 'snapshot: capture of changed rows', share: 2 / 3 })
  assert.deepEqual(stacks.mainWork({ fromUs: 3500, toUs: 4500 }), { work: 'turns', share: 1 })
  assert.equal(stacks.mainWork({ fromUs: 9000, toUs: 9500 }), null)
})

const STALL = { ...ms(100, 110), cpuUs: 9000, queuedUs: 500 }
const COMMIT = ms(200, 220)
const NONE: TraceFile = { stalls: [], collections: [], commits: [] }
const fdatasync = (fromMs: number, toMs: number) => ({ ...ms(fromMs, toMs), call: 'fdatasync' as const, file: 1 })

const ROWS: readonly {
  readonly name: string
  readonly given: Partial<TraceFile>
  readonly disk?: Evidence['disk']
  readonly cause: string
}[] = [
  { name: 'work of the thread', given: { stalls: [STALL] }, cause: 'turns' },
  {
    name: 'a thread that waited for a core',
    given: { stalls: [{ ...STALL, cpuUs: 1000, queuedUs: 8000 }] },
    cause: 'no core was free for the thread',
  },
  {
    name: 'a thread that waited in the kernel',
    given: { stalls: [{ ...STALL, cpuUs: 500, queuedUs: 500 }] },
    cause: 'the thread was blocked in the kernel: turns',
  },
  {
    name: 'a collection',
    given: { stalls: [STALL], collections: [{ ...ms(101, 108), kind: 'scavenge' }] },
    cause: 'garbage collection: scavenge',
  },
  {
    name: 'a commit whose sync took most of it',
    given: { commits: [COMMIT] },
    disk: { log: [fdatasync(201, 218)], others: [] },
    cause: 'disk: fdatasync of the pages',
  },
  {
    name: 'a commit whose sync shared the disk',
    given: { commits: [COMMIT] },
    disk: { log: [fdatasync(201, 218)], others: [fdatasync(195, 215)] },
    cause: 'disk: fdatasync of the pages, while the archive wrote',
  },
  {
    name: 'a commit that started late',
    given: { commits: [COMMIT] },
    disk: { log: [fdatasync(215, 219)], others: [] },
    cause: 'before the first write: libuv or LMDB had no thread yet',
  },
  {
    name: 'a commit whose callback waited for a stalled loop',
    given: { commits: [COMMIT], stalls: [{ ...ms(203, 221), cpuUs: 17_000, queuedUs: 0 }] },
    disk: { log: [fdatasync(200.2, 202)], others: [] },
    cause: 'callback: the loop stalled (turns)',
  },
  { name: 'a commit without perf', given: { commits: [COMMIT] }, cause: 'disk, LMDB or libuv (perf would tell)' },
]

for (const { name, given, disk = null, cause } of ROWS) {
  test(`the tracer names the cause of ${name}`, () => {
    const stacks = { mainWork: () => ({ work: 'turns', share: 1 }) }
    const causes = causesOf({ trace: { ...NONE, ...given }, stacks, disk }, ALL, 5)
    assert.equal(causes.at(-1)?.cause, cause)
  })
}

test('shorter stalls and those outside the window are left out', () => {
  const trace = { ...NONE, stalls: [STALL, { ...STALL, ...ms(300, 304) }, { ...STALL, ...ms(2000, 2010) }] }
  assert.equal(causesOf({ trace, stacks: null, disk: null }, ALL, 5).length, 1)
})

test('the tracer writes the stalls and collections of its process when it exits', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-trace-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'trace.json')
  const tracer = fileURLToPath(new URL('../../bench/trace/tracer.ts', import.meta.url))
  const script = `setTimeout(() => { gc(); const end = performance.now() + 40; while (performance.now() < end); setTimeout(() => {}, 20) }, 20)`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', import.meta.resolve('tsx'), '--import', tracer, '--eval', script],
    {
      env: { ...process.env, [TRACE_VARIABLE]: path },
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stderr)
  const { stalls, collections } = JSON.parse(readFileSync(path, 'utf8')) as TraceFile
  assert.ok(stalls.some(({ fromUs, toUs }) => toUs - fromUs >= 38_000))
  assert.ok(collections.some(({ kind }) => kind === 'mark-sweep'))
})
