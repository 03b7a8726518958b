// Priorities of the program's threads, as Linux has them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { it } from 'node:test'
import { startServer } from '../../support/server-process.ts'

/** The platform's workers and the scheduler of delayed tasks: Node.js makes them before any thread of the program. */
const THREADS_OF_V8 = 5
const NICE_FIELD = 16

/** Nice values of the process's threads, the oldest first. */
function niceValues(pid: number): number[] {
  const folder = `/proc/${pid}/task`
  const threads = readdirSync(folder).map(Number)
  const fields = threads.toSorted((one, other) => one - other).map((thread) => readFileSync(`${folder}/${thread}/stat`, 'latin1'))
  // The name in parentheses may hold blanks.
  return fields.map((text) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[NICE_FIELD]))
}

it('collectors and compilers of V8 leave the processor to the event loop', { skip: process.platform !== 'linux' }, async () => {
  const server = await startServer()
  try {
    const [main = Number.NaN, ...others] = niceValues(server.pid)
    assert.equal(main, getPriority())
    assert.deepEqual(others.slice(0, THREADS_OF_V8), Array(THREADS_OF_V8).fill(Math.min(19, main + 10)))
    assert.ok(others.includes(main), 'what commits keeps the priority of the event loop')
  } finally {
    await server.remove()
  }
})
