// One HTTP thread, as the engine's thread sees it: its rings, its open requests, its worker. When the worker ends, each of its
// requests is aborted like that of a client that left.
import { Worker } from 'node:worker_threads'
import { threadEntry } from '../../../engine/kernel/script-entry.ts'
import { publicMemory } from '../public-files.ts'
import { AnswerQueue } from './answer-queue.ts'
import { newRingMemory, RingReader } from './byte-ring.ts'
import { copyOf, DecodedRequest } from './decoded-request.ts'
import * as frames from './frames.ts'
import { CLOSE, THROW, type ThreadNotice, type ThreadOrder, WAKE } from './http-thread.ts'
import { Outbox, readFrames } from './outbox.ts'
import { RingSocket, type SocketThread, sendNotice } from './ring-socket.ts'
import { FRAMES_PER_TURN_MAX, RING_BYTES, THREAD_HEAP_MB_MAX, youngMbMax } from './thread-limits.ts'
import type { ThreadStart } from './thread-server.ts'

const ENTRY = threadEntry(new URL('./http-thread.ts', import.meta.url))
const NO_SLOT = { slot: 0, generation: 0 }

export interface LinkEvents {
  paramsCountOf(endpoint: number): number
  onRequest(endpoint: number, socket: RingSocket, request: DecodedRequest): void
  onRefusedFraming(): void
  onRefusedConnection(): void
  /** The thread has sent frames. */
  onWake(): void
  /** Frames to the thread wait for room. */
  onBehind(): void
}

export class EngineThreadLink implements SocketThread {
  readonly outbox: Outbox
  readonly waiting = new AnswerQueue()
  /** Resolves with true when the thread listens. */
  readonly listening: Promise<boolean>
  /** Resolves when the thread has ended, with the reason if it failed. */
  readonly ended: Promise<string | null>
  hasListened = false
  readonly #inbox: RingReader
  readonly #events: LinkEvents
  readonly #sockets: (RingSocket | undefined)[] = []
  readonly #behind = new Set<RingSocket>()
  readonly #worker: Worker
  #failure: string | null = null
  #isClosing = false
  /** True when the thread ends once no answer waits for room. */
  #closesWhenSent = false

  constructor(start: Omit<ThreadStart, 'requests' | 'answers' | 'files'>, events: LinkEvents) {
    const requests = newRingMemory(RING_BYTES)
    const answers = newRingMemory(RING_BYTES)
    this.#events = events
    this.#inbox = new RingReader(requests)
    this.outbox = new Outbox(answers, () => this.#post(WAKE))
    const workerData: ThreadStart = { ...start, requests, answers, files: publicMemory }
    const youngMb = youngMbMax(process.execArgv)
    const resourceLimits = {
      maxOldGenerationSizeMb: THREAD_HEAP_MB_MAX,
      ...(youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }),
    }
    const worker = new Worker(ENTRY.source, { ...ENTRY.options, name: `http-${start.number}`, workerData, resourceLimits })
    this.#worker = worker
    // The rings sleep until the first turn of either side.
    this.#inbox.sleep()
    worker.on('error', (error) => {
      this.#failure = error.stack ?? error.message
    })
    this.ended = new Promise((resolve) => worker.once('exit', () => resolve(this.#end())))
    this.listening = new Promise((resolve) => {
      worker.on('message', (notice: ThreadNotice) => this.#onNotice(notice, resolve))
      void this.ended.then(() => resolve(false))
    })
  }

  /** Reads what the thread has sent. Returns the number of frames; 0 when this side may sleep. */
  turn(): number {
    const count = readFrames(this.#inbox, FRAMES_PER_TURN_MAX, this.#take)
    if (this.outbox.isBehind && this.outbox.flush()) this.#caughtUp()
    if (!this.waiting.isEmpty && !this.outbox.isBehind && this.waiting.flush() && this.#closesWhenSent) this.closeAll()
    return count > 0 || this.#inbox.sleep() ? count : 1
  }

  forget(socket: RingSocket): void {
    if (this.#sockets[socket.slot] === socket) this.#sockets[socket.slot] = undefined
    this.#behind.delete(socket)
  }

  isBehind(stream: RingSocket | null): void {
    if (stream !== null) this.#behind.add(stream)
    this.#events.onBehind()
  }

  /** Whether frames or answers wait for room in the ring. */
  get hasWaiting(): boolean {
    return this.outbox.isBehind || !this.waiting.isEmpty
  }

  stopListening(): void {
    this.#command(frames.STOP_LISTENING)
  }

  /** Asks the thread to close every connection and to end, behind all answers. */
  closeAll(): void {
    if (this.waiting.isEmpty) {
      this.#isClosing = true
      return this.#command(frames.CLOSE_ALL)
    }
    this.#closesWhenSent = true
    this.#events.onBehind()
  }

  /** Asks the thread to end at once. */
  closeNow(): void {
    this.#isClosing = true
    this.#post(CLOSE)
  }

  /** Makes the thread fail. For tests. */
  fail(): void {
    this.#post(THROW)
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  #command(kind: number): void {
    sendNotice(this.outbox, kind, NO_SLOT)
    if (this.outbox.isBehind) this.#events.onBehind()
  }

  #post(order: ThreadOrder): void {
    this.#worker.postMessage(order)
  }

  #onNotice(notice: ThreadNotice, onListening: (isListening: boolean) => void): void {
    if (notice === WAKE) return this.#events.onWake()
    if ('failure' in notice) {
      this.#failure = notice.failure
      return
    }
    this.hasListened = notice.listening
    onListening(notice.listening)
  }

  #end(): string | null {
    this.#isClosing = true
    for (const socket of this.#sockets.splice(0)) socket?.abort()
    this.#behind.clear()
    return this.#failure
  }

  #caughtUp(): void {
    const streams = [...this.#behind]
    this.#behind.clear()
    for (const stream of streams) stream.writable()
  }

  readonly #take = (bytes: Buffer, at: number, end: number): void => {
    const kind = bytes[at]
    if (kind === frames.REQUEST) return this.#request(bytes, at)
    if (kind === frames.REFUSED_FRAMING) return this.#events.onRefusedFraming()
    if (kind === frames.REFUSED_CONNECTION) return this.#events.onRefusedConnection()
    const socket = this.#sockets[frames.slotOf(bytes, at)]
    if (socket === undefined || socket.generation !== frames.generationOf(bytes, at)) return
    if (kind === frames.BODY) {
      const isLast = (frames.flagsOf(bytes, at) & frames.LAST) !== 0
      socket.take(copyOf(bytes, at + frames.HEADER_BYTES, end), isLast)
    } else if (kind === frames.ABORTED) socket.abort()
    else if (kind === frames.BEHIND) socket.setBehind()
    else if (kind === frames.WRITABLE) socket.writable()
  }

  #request(bytes: Buffer, at: number): void {
    const endpoint = frames.endpointOf(bytes, at)
    const request = new DecodedRequest(bytes, at, this.#events.paramsCountOf(endpoint))
    const socket = new RingSocket(this, frames.slotOf(bytes, at), frames.generationOf(bytes, at), request.peer)
    this.#sockets[socket.slot] = socket
    this.#events.onRequest(endpoint, socket, request)
    if (request.prepared !== null) socket.takePrepared(request.prepared)
    else if (request.chunk !== null) socket.take(request.chunk, request.isLast)
  }
}
