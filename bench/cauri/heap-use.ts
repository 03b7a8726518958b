// What a workload allocates on the heap of Cauri's main thread and how much of it survives a scavenge, by the sizes of V8's spaces before
// and after each collection (`v8.GCProfiler`). Memory outside of the heap is not part of it.
import { type CallFrame, describeFrames } from '../cpu-profile.ts'
import type { Inspector } from './inspector.ts'

export interface HeapUse {
  readonly allocatedBytes: number
  /** Bytes in the young generation, and promoted from it, at the end of each scavenge. */
  readonly survivingBytes: readonly number[]
}

interface SpaceSize {
  readonly spaceName: string
  readonly spaceUsedSize: number
}

interface Collection {
  readonly gcType: string
  readonly beforeGC: { readonly heapSpaceStatistics: readonly SpaceSize[] }
  readonly afterGC: { readonly heapSpaceStatistics: readonly SpaceSize[] }
}

export interface HeapTrace {
  /** Sizes when the trace began. */
  readonly first: readonly SpaceSize[]
  readonly collections: readonly Collection[]
  /** Sizes when it ended. */
  readonly last: readonly SpaceSize[]
}

const V8 = `process.getBuiltinModule('v8')`
const SIZES = `${V8}.getHeapSpaceStatistics().map((space) => ({ spaceName: space.space_name, spaceUsedSize: space.space_used_size }))`

/** Runs the workload and returns what V8 measured meanwhile. */
export async function traceHeap(inspector: Inspector, workload: () => Promise<void>): Promise<HeapTrace> {
  await inspector.ask('Runtime.enable')
  await inspector.evaluate(`globalThis.heapTrace = { first: ${SIZES}, profiler: new (${V8}.GCProfiler)() }; heapTrace.profiler.start()`)
  await workload()
  const trace = `JSON.stringify({ first: heapTrace.first, last: ${SIZES}, collections: heapTrace.profiler.stop().statistics })`
  return JSON.parse(String(await inspector.evaluate(trace))) as HeapTrace
}

/** Returns what the trace shows. Growth of a space between two collections is allocation. */
export function heapUseOf({ first, collections, last }: HeapTrace): HeapUse {
  let allocatedBytes = 0
  let before = first
  const survivingBytes: number[] = []
  for (const { gcType, beforeGC, afterGC } of collections) {
    allocatedBytes += growth(before, beforeGC.heapSpaceStatistics)
    before = afterGC.heapSpaceStatistics
    if (gcType === 'Scavenge') survivingBytes.push(young(before) + growth(beforeGC.heapSpaceStatistics, before, isOld))
  }
  return { allocatedBytes: allocatedBytes + growth(before, last), survivingBytes }
}

/** Sums the spaces that grew. Sweeping makes old ones smaller between two collections. */
function growth(before: readonly SpaceSize[], after: readonly SpaceSize[], counts: (space: SpaceSize) => boolean = () => true): number {
  const sizes = new Map(before.map(({ spaceName, spaceUsedSize }) => [spaceName, spaceUsedSize]))
  let bytes = 0
  for (const space of after) if (counts(space)) bytes += Math.max(0, space.spaceUsedSize - (sizes.get(space.spaceName) ?? 0))
  return bytes
}

function young(sizes: readonly SpaceSize[]): number {
  return sizes.filter((space) => !isOld(space)).reduce((sum, { spaceUsedSize }) => sum + spaceUsedSize, 0)
}

function isOld({ spaceName }: SpaceSize): boolean {
  return !spaceName.startsWith('new_')
}

interface SamplingNode {
  readonly callFrame: CallFrame
  readonly selfSize: number
  readonly children: readonly SamplingNode[]
}

/** Runs the workload and returns the bytes that each function allocated, by samples, most first. */
export async function sampleAllocations(inspector: Inspector, workload: () => Promise<void>): Promise<[place: string, share: number][]> {
  await inspector.ask('HeapProfiler.enable')
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
  await inspector.ask('HeapProfiler.startSampling', { samplingInterval: 16_384, ...collected })
  await workload()
  const { profile } = (await inspector.ask('HeapProfiler.stopSampling')) as { profile: { head: SamplingNode } }
  const nodes = [profile.head]
  for (const { children } of nodes) nodes.push(...children)
  const names = describeFrames(nodes.map(({ callFrame }) => callFrame))
  const bytes = new Map<string, number>()
  for (const [index, { selfSize }] of nodes.entries()) {
    const place = names[index] as string
    bytes.set(place, (bytes.get(place) ?? 0) + selfSize)
  }
  const total = nodes.reduce((sum, { selfSize }) => sum + selfSize, 0)
  return [...bytes].map(([place, size]): [string, number] => [place, size / total]).sort(([, a], [, b]) => b - a)
}
