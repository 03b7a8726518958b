// Bugs in the logs, the archive and the ownership of a log.
import type { PlantedBug } from '../bug.ts'

const bug =
  (file: string, tests: readonly string[]) =>
  (name: string, from: string, to: string): PlantedBug => ({ name, file, from, to, tests })

const CONTRACT = 'test/wal/log/log-contract.test.ts'
const CLUSTERS = 'test/proof/cluster/simulator/cluster-world.test.ts'
const rule = bug('wal/log/append-rule.ts', [CONTRACT])
const proofs = bug('wal/cluster/ownership-proof.ts', [
  'test/wal/cluster/ownership-proof.test.ts',
  'test/wal/cluster/promotion.test.ts',
  'test/wal/cluster/cluster-node.test.ts',
  CLUSTERS,
])
const lmdb = bug('wal/log/lmdb-log.ts', [
  CONTRACT,
  'test/wal/log/log-crash.test.ts',
  'test/wal/log/lmdb-flush.test.ts',
  'test/wal/log/file-growth.test.ts',
])
const filters = bug('wal/archive/bloom-filter.ts', ['test/wal/archive/bloom-filter.test.ts', 'test/wal/archive/archive-contract.test.ts'])
const heap = bug('wal/archive/worker-heap.ts', ['test/wal/archive/worker-heap.test.ts'])
const pages = bug('wal/archive/archive-page.ts', ['test/wal/archive/index-chunk.test.ts'])
const reader = bug('wal/archive/index-reader.ts', [
  'test/wal/archive/index-reader.test.ts',
  'test/wal/archive/index-writer.test.ts',
  'test/wal/archive/archive-lmdb.test.ts',
])

export const LOG_BUGS: readonly PlantedBug[] = [
  rule('a former owner appends', 'if (batch.epoch < log.epoch) {', 'if (batch.epoch < 0) {'),
  rule(
    'a batch leaves a gap',
    'if (batch.expectedSequence !== log.durableSequence + 1) {',
    'if (batch.expectedSequence <= log.durableSequence) {',
  ),
  rule(
    'a log goes on after a failure',
    '  if (log.failure !== null) return new LogError(log.failure.code, `The log failed before: ${log.failure.message}`, log.failure)\n',
    '',
  ),
  rule('a batch of another partition is appended', 'if (batch.partition !== log.partition) {', 'if (batch.partition < 0) {'),
  proofs('a proof serves a request that came after it began', 'return this.#proven > mark', 'return this.#proven >= mark'),
  proofs('a failed append proves the ownership', 'if (isConfirmed) this.#settle(number)', 'this.#settle(number)'),
  proofs(
    'a failed read proves the ownership',
    'if (error === null) this.#proven = Math.max(this.#proven, number)',
    'this.#proven = Math.max(this.#proven, number)',
  ),
  lmdb(
    'a batch counts as durable before it is',
    '    this.#write(batches, () => this.#succeed(raised))',
    '    this.#write(batches, () => {})\n    queueMicrotask(() => this.#succeed(raised))',
  ),
  lmdb(
    'the batches of a flush are stored one by one',
    'const written = this.#store.ifNoExists(first.expectedSequence, () => {',
    'const written = ((write: () => void) => Promise.resolve(write()))(() => {',
  ),
  lmdb('a flush goes on after a sequence of another writer', 'ifNoExists(first.expectedSequence, () => {', 'batch(() => {'),
  lmdb('a flush loses its last batch', 'for (const batch of batches) this.#put(', 'for (const batch of batches.slice(0, -1)) this.#put('),
  lmdb('a batch is written over another', '{ append: true }', '{ append: false }'),
  lmdb('a full disk is not refused', 'refusalOf(batch, state) ?? this.#refusalForSpace()', 'refusalOf(batch, state)'),
  lmdb('a log of another partition is opened', 'if (meta.partition !== partition) {', 'if (meta.partition < 0) {'),
  lmdb(
    'a copy of a log in PostgreSQL takes writes',
    '  if (logId === undefined && meta.original !== undefined) throw copyWithoutLog(path, meta.original)\n',
    '',
  ),
  filters('a folded filter loses half of its bits', ' | (words[at + WORDS_PER_BLOCK] as number)', ''),
  filters(
    'the filter misses some of what it holds',
    'words[at + 7] = (words[at + 7] as number) | (1 << probe.bit7)',
    'words[at + 7] = 1 << probe.bit7',
  ),
  filters(
    'of several filters the last is not asked',
    'for (let at = 0; at < words.length; at++) {\n      if ((((first[at]',
    'for (let at = 0; at < words.length - 1; at++) {\n      if ((((first[at]',
  ),
  pages('a chunk of the index takes two pages', 'PAGE_HEADER_BYTES = 24', 'PAGE_HEADER_BYTES = 8'),
  heap('the thread of the archive has the semi-spaces of the engine', "  setFlagsFromString('--max-semi-space-size=0')\n", ''),
  reader(
    'a key of a run without a filter is not searched',
    '    for (let at = 0; at < unfiltered.length; at++) if (this.#isIn(unfiltered[at] as Run, high, low)) return true\n',
    '',
  ),
  reader(
    'the filter of a new run is not asked',
    '    this.#runs.unshift({ run, filter })\n    this.#fitFilters()',
    '    this.#runs.unshift({ run, filter })',
  ),
  reader('filters that arrive after a start are not asked', '    open.filter = filter\n    this.#fitFilters()', '    open.filter = filter'),
  reader(
    'the smallest filters are dropped where memory is short',
    '(one.filter?.sizeBytes ?? 0) - (other.filter?.sizeBytes ?? 0)',
    '(other.filter?.sizeBytes ?? 0) - (one.filter?.sizeBytes ?? 0)',
  ),
  reader(
    'runs that were merged are searched in place of the merged run',
    '    this.#runs = others\n    this.#fitFilters()',
    '    this.#runs = others',
  ),
]
