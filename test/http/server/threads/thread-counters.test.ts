// Counts of several HTTP threads in one memory: the connections of a thread that has ended are open no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThreadCounters } from '../../../../http/server/threads/thread-counters.ts'

/** As seen by the engine's thread, and by HTTP threads over the same memory. */
function twoThreads(): { readonly engine: ThreadCounters; readonly http: ThreadCounters } {
  const engine = new ThreadCounters()
  const http = new ThreadCounters(engine.memory)
  for (const [thread, connections] of [
    [0, 5],
    [1, 7],
  ] as const) {
    engine.begin(thread)
    for (let opened = 0; opened < connections; opened++) http.addConnections(thread, 1)
    http.addRefusedWhenFull(thread)
  }
  http.addConnections(1, -1)
  return { engine, http }
}

test('connections are those of all threads, opened and not closed', () => {
  const { engine, http } = twoThreads()
  assert.deepEqual([engine.connections, http.connections, engine.refusedWhenFull], [11, 11, 2])
})

test('connections of a thread that has ended count no more, and what it refused still does', () => {
  const { engine } = twoThreads()
  engine.close(1)
  assert.deepEqual([engine.connections, engine.refusedWhenFull], [5, 2])
  engine.begin(1)
  engine.close(0)
  assert.deepEqual([engine.connections, engine.refusedWhenFull], [0, 2])
})

test('connections that a thread left when it ended do not count for the one in its place', () => {
  const { engine, http } = twoThreads()
  engine.close(1)
  // The thread was still about to count one.
  http.addConnections(1, 1)
  engine.begin(1)
  assert.equal(engine.connections, 5)
  http.addConnections(1, 1)
  assert.equal(engine.connections, 6)
})
