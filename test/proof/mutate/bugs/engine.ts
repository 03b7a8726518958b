// Bugs in the engine: durability, order, recovery, index, timers.
import type { PlantedBug } from '../bug.ts'

const SIMULATOR = 'test/proof/simulate/simulate.test.ts'
const BARRIER = 'test/engine/actor/durability-barrier.test.ts'
const RECOVERY = 'test/engine/actor/recovery.test.ts'
const HISTORY = 'test/engine/actor/history.test.ts'
const TIMERS = 'test/engine/kernel/timer-queue.test.ts'
const IDEMPOTENCY = 'test/engine/actor/idempotency.test.ts'

const barrier = (name: string, from: string, to: string): PlantedBug => ({
  ...{ name, file: 'engine/actor/durability-barrier.ts', from, to },
  tests: [BARRIER, SIMULATOR, 'test/engine/actor/load.test.ts'],
})
const timers = (name: string, from: string, to: string): PlantedBug => ({
  ...{ name, file: 'engine/kernel/timer-queue.ts', from, to, tests: [TIMERS, SIMULATOR] },
})
const tail = (name: string, from: string, to: string): PlantedBug => ({
  ...{ name, file: 'engine/actor/index-tail.ts', from, to, tests: [HISTORY, IDEMPOTENCY, 'test/engine/actor/load.test.ts', SIMULATOR] },
})
const engine = (name: string, from: string, to: string, tests: readonly string[] = [SIMULATOR]): PlantedBug => ({
  ...{ name, file: 'engine/actor/engine.ts', from, to, tests },
})
const encoder = (name: string, from: string, to: string): PlantedBug => ({
  ...{ name, file: 'engine/actor/batch-encoder.ts', from, to },
  tests: ['test/engine/actor/record-codec.test.ts', RECOVERY],
})

export const ENGINE_BUGS: readonly PlantedBug[] = [
  barrier(
    'outcomes leave before their record is durable',
    'if (sequence <= this.#durable && this.waiting === 0) {',
    'if (this.waiting === 0) {',
  ),
  barrier('an outcome overtakes those that wait', 'sequence <= this.#durable && this.waiting === 0', 'sequence <= this.#durable'),
  barrier('outcomes are not cut with their replies, so callers get those of others', '    this.#outcomes.splice(from, count)\n', ''),
  barrier('sequences are not cut with their replies', '    this.#sequences.splice(from, count)\n', ''),
  barrier('one outcome more than is durable leaves', 'as number) <= sequence)', 'as number) <= sequence + 1)'),
  encoder('all batches of a flush follow the batch before the flush', '      hash = (batches.at(-1) as EncodedBatch).hash\n', ''),
  encoder('a batch has the time of the first record of its flush', 'this.#timesMs[from] as number', 'this.#timesMs[0] as number'),
  encoder('a large record joins the batch of those before it', ' && this.#sizeOf(to) < largeRecordBytes', ''),
  {
    ...{ name: 'the next flush follows the first batch of the flush before', file: 'engine/actor/gathering-batch.ts' },
    ...{ from: 'batches[batches.length - 1] as EncodedBatch', to: 'batches[0] as EncodedBatch', tests: [RECOVERY, SIMULATOR] },
  },
  timers(
    'a rebuilt heap lacks its newest timer',
    'for (const timer of this.#current.values()) this.#push(timer)',
    'for (const timer of [...this.#current.values()].slice(0, -1)) this.#push(timer)',
  ),
  timers('a cancelled timer fires', 'if (this.#current.get(`${first.kind}:${first.key}`) === first) return', 'return'),
  timers(
    'a timer that was set anew fires at its old time',
    'this.#current.get(`${first.kind}:${first.key}`) === first',
    'this.#current.has(`${first.kind}:${first.key}`)',
  ),
  timers('a timer fires one millisecond early', 'first.dueMs > nowMs) return null', 'first.dueMs > nowMs + 1) return null'),
  timers(
    'the heap takes the later child',
    '.dueMs < (heap[child] as DueTimer).dueMs) child++',
    '.dueMs > (heap[child] as DueTimer).dueMs) child++',
  ),
  tail('a grown segment loses its positions', '    position.set(this.position)\n', ''),
  tail('a grown segment loses its chains', '    before.set(this.#before)\n', ''),
  tail('half of the hash decides', 'if (this.low[at] !== low || this.high[at] !== high) continue', 'if (this.low[at] !== low) continue'),
  tail(
    'sealed segments are not searched',
    'for (let at = this.#sealed.length - 1; at >= 0',
    'for (let at = this.#sealed.length - 2; at >= 0',
  ),
  tail(
    'an entry at the limit of a page is found again',
    'if (position < below) found.push(position)',
    'if (position <= below) found.push(position)',
  ),
  engine('a start does not wait for the filters of the index', '    await ports.archive.whenLoaded?.()\n', '', [RECOVERY]),
  engine(
    'a read does not wait for the disk',
    'if (this.#lastSequence <= this.#barrier.durable) run()',
    'if (this.#lastSequence > 0) run()',
    ['test/engine/actor/turn.test.ts', 'test/engine/actor/failures.test.ts', SIMULATOR, 'test/http/server/engine-replies.test.ts'],
  ),
  engine(
    'a failed flush is taken for a success',
    'if (error !== null) return this.#fail(error)\n    this.#guard(this.#afterFlush)',
    'this.#guard(this.#afterFlush)',
    ['test/engine/actor/failures.test.ts', SIMULATOR],
  ),
  engine('timers fire at a follower', 'if (!this.#stopped && this.#log !== null) this.#timers.fire(timeMs)', 'this.#timers.fire(timeMs)', [
    'test/engine/actor/follow.test.ts',
    'test/wal/cluster/cluster-node.test.ts',
    SIMULATOR,
  ]),
  engine(
    'a snapshot is stored before its batch is durable',
    'this.#snapshotter.store(Math.min(this.#barrier.durable, this.#ports.localLog.durableSequence))',
    'this.#snapshotter.store(this.#lastSequence)',
    ['test/engine/actor/snapshot.test.ts', RECOVERY, SIMULATOR],
  ),
  {
    ...{ name: 'the engine goes back with its clock', file: 'engine/actor/engine-clock.ts' },
    ...{ from: 'if (passedMs > 0) this.#exactMs = Math.max(clockMs, this.#exactMs + passedMs / 2)', to: 'this.#exactMs = clockMs' },
    tests: ['test/engine/actor/time.test.ts', SIMULATOR],
  },
  engine(
    'subscribers get a record after the outcome of its caller',
    'for (const record of records) for (const onRecord of subscribers) onRecord(record)\n    this.#barrier.open(last)',
    'this.#barrier.open(last)\n    for (const record of records) for (const onRecord of subscribers) onRecord(record)',
    [
      'test/engine/query/queries.test.ts',
      'test/engine/actor/turn.test.ts',
      'test/engine/actor/load.test.ts',
      'test/http/api/stream/wallet-hub.test.ts',
      SIMULATOR,
    ],
  ),
  {
    ...{ name: 'a record that is not durable yet is dropped too early', file: 'engine/actor/record-queue.ts' },
    ...{ from: 'this.#first <= sequence) {', to: 'this.#first <= sequence + 1) {' },
    tests: ['test/engine/actor/record-queue.test.ts', SIMULATOR],
  },
  {
    ...{ name: 'a grown queue of records mixes them up', file: 'engine/actor/record-queue.ts' },
    ...{ from: 'grown[sequence & (grown.length - 1)] =', to: 'grown[sequence & (this.#ring.length - 1)] =' },
    tests: ['test/engine/actor/record-queue.test.ts'],
  },
  {
    ...{ name: 'a cut queue of turns loses a command', file: 'engine/kernel/fair-turns.ts' },
    ...{ from: 'this.items.splice(0, this.next)', to: 'this.items.splice(0, this.next + 1)' },
    tests: ['test/engine/actor/mailboxes.test.ts'],
  },
  {
    ...{ name: 'an account with more commands gets no further turn', file: 'engine/kernel/fair-turns.ts' },
    ...{ from: '    if (queue.count > 0) this.#plan(queue)\n    else if', to: '    if' },
    ...{ tests: ['test/engine/actor/mailboxes.test.ts', SIMULATOR], hangs: true },
  },
  {
    ...{ name: 'recovery does not check the hash of the batch before', file: 'engine/actor/batch-chain.ts' },
    ...{ from: ' && previousHash === before.hash', to: '' },
    tests: ['test/engine/actor/chain.test.ts', RECOVERY],
  },
  {
    ...{ name: 'recovery takes a gap in the log', file: 'engine/actor/batch-chain.ts' },
    ...{ from: 'firstSequence === before.through + 1', to: 'firstSequence > before.through' },
    tests: ['test/engine/actor/chain.test.ts', RECOVERY],
  },
  {
    ...{ name: 'recovery accepts an archive that is ahead of its log', file: 'engine/actor/replay.ts' },
    ...{
      from: 'if (Math.max(snapshotSequence, history.indexedThrough) > log.durableSequence) throw archiveAhead(log.durableSequence)',
      to: '',
    },
    tests: [RECOVERY, 'test/engine/actor/snapshot.test.ts', 'test/wal/archive/archive-crash.test.ts'],
  },
  {
    ...{ name: 'recovery accepts a snapshot of another log', file: 'engine/actor/replay.ts' },
    ...{ from: 'snapshot.sequence !== through || snapshot.batchHash !== hash', to: 'snapshot.sequence !== through' },
    tests: [RECOVERY, 'test/engine/actor/snapshot.test.ts'],
  },
  {
    ...{ name: 'a record in the snapshot is applied again', file: 'engine/actor/replay.ts' },
    ...{
      from: 'const isApplied = sequence <= this.#done.snapshotSequence',
      to: 'const isApplied = sequence < this.#done.snapshotSequence',
    },
    tests: [RECOVERY, 'test/engine/actor/snapshot.test.ts', SIMULATOR],
  },
  {
    ...{ name: 'the snapshot lacks one table', file: 'engine/actor/snapshot.ts' },
    ...{ from: 'const sources = state.snapshotSources.map(', to: 'const sources = state.snapshotSources.slice(1).map(' },
    tests: ['test/engine/actor/snapshot.test.ts', 'test/engine/domain/cash-request/cash-request-crash.test.ts'],
  },
  {
    ...{ name: 'the snapshot holds a block as it was changed after the capture', file: 'engine/kernel/changed-blocks.ts' },
    ...{ from: '    if (this.#flags[block] === CAPTURED) this.#copied.set(block, this.#copy(block))\n', to: '' },
    tests: ['test/engine/kernel/changed-blocks.test.ts', 'test/engine/actor/snapshot.test.ts', SIMULATOR],
  },
  {
    ...{ name: 'a key that is used by another request returns its result', file: 'engine/actor/turn.ts' },
    ...{ from: "if (known.entry.fingerprint !== idempotency.fingerprint) return refusal('idempotency_key_reused')", to: '' },
    tests: [IDEMPOTENCY, SIMULATOR],
  },
  {
    ...{ name: 'a rejection that the ledger decided is not kept', file: 'engine/actor/turn.ts' },
    ...{ from: "'insufficient_funds', 'conflict'])", to: "'conflict'])" },
    tests: [IDEMPOTENCY, SIMULATOR],
  },
  {
    ...{ name: 'replay does not compare the balances with the log', file: 'engine/actor/turn.ts' },
    ...{
      from: 'applied.debitBalance === debitBalance && applied.creditBalance === creditBalance',
      to: 'applied.debitBalance !== Number.NaN',
    },
    tests: [RECOVERY, 'test/engine/actor/turn.test.ts', 'test/engine/actor/record-scan.test.ts', 'test/wal/tools/verify.test.ts'],
  },
  {
    ...{ name: 'all frames of a record get the same id', file: 'engine/actor/turn.ts' },
    ...{ from: '    frames.set(frame.account, frame.id)\n', to: '' },
    tests: ['test/engine/actor/turn.test.ts', SIMULATOR],
  },
  {
    ...{ name: 'a stored result of another key with the same hash is returned', file: 'engine/actor/history.ts' },
    ...{ from: 'if (entry?.scope === scope && entry.key === key) return', to: 'if (entry != null) return' },
    tests: [IDEMPOTENCY, HISTORY],
  },
  {
    ...{ name: 'index entries that a start left in memory are never stored', file: 'engine/actor/history.ts' },
    ...{ from: '      this.#tail.adopt(unstored)\n      this.#storeNext()\n', to: '      this.#tail.adopt(unstored)\n' },
    tests: ['test/wal/archive/log-index.test.ts'],
  },
  {
    ...{ name: 'of the segments that a start left in memory only the first is found', file: 'engine/actor/index-tail.ts' },
    ...{ from: 'for (const segment of segments) this.#sealed', to: 'for (const segment of segments.slice(0, 1)) this.#sealed' },
    tests: ['test/wal/archive/log-index.test.ts'],
  },
  {
    ...{ name: 'index entries that a start left in memory are not found', file: 'engine/actor/index-tail.ts' },
    ...{ from: 'while (segment.count < made.count) segment.#link(made.low[segment.count] as number)', to: 'segment.count = made.count' },
    tests: ['test/wal/archive/log-index.test.ts'],
  },
  {
    ...{ name: 'index entries are stored before their records are durable', file: 'engine/actor/history.ts' },
    ...{ from: ' || segment.throughSequence > this.#log.durableSequence) return', to: ') return' },
    tests: [HISTORY, SIMULATOR, 'test/engine/actor/load.test.ts'],
  },
  {
    ...{ name: 'an id counts frames again from account 4096 on', file: 'engine/kernel/account-counters.ts' },
    ...{ from: '    larger.set(this.#last)\n', to: '' },
    tests: ['test/engine/kernel/account-counters.test.ts'],
  },
  {
    ...{ name: 'the snapshot lacks the frames past account 1024', file: 'engine/kernel/account-counters.ts' },
    ...{ from: 'row * ACCOUNTS_PER_ROW < this.#last.length; row++', to: 'row < 1; row++' },
    tests: ['test/engine/kernel/account-counters.test.ts'],
  },
  {
    ...{ name: 'a block past the first capacity is never marked as changed', file: 'engine/kernel/changed-blocks.ts' },
    ...{ from: 'if (block >= this.#flags.length) this.#grow(block + 1)', to: 'if (block >= this.#flags.length) return' },
    tests: ['test/engine/kernel/changed-blocks.test.ts'],
  },
  {
    ...{ name: 'a monthly occurrence keeps the shortened day', file: 'engine/kernel/calendar.ts' },
    ...{
      from: 'return candidate > afterMs ? candidate : inMonth(start, start.month + (passed + 1) * step)',
      to: 'return candidate > afterMs ? candidate : inMonth(monthOf(candidate), start.month + (passed + 1) * step)',
    },
    tests: ['test/engine/kernel/calendar.test.ts', 'test/engine/domain/schedule/schedule.test.ts'],
  },
  {
    ...{ name: 'every fourth year is a leap year', file: 'engine/kernel/calendar.ts' },
    ...{ from: ' && (year % 100 !== 0 || year % 400 === 0)', to: '' },
    tests: ['test/engine/kernel/calendar.test.ts'],
  },
]
