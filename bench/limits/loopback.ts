// Round trips of a request's bytes over the loopback, without HTTP.
import { connect, type Socket } from 'node:net'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { encodeHistogram, newHistogram, type Percentiles, percentilesOf, recordMs } from '../load/histogram.ts'
import { startServer } from '../process/server-process.ts'

const MESSAGE = Buffer.alloc(400, 0x61)

export interface Loopback {
  /** Round trips of one connection with one message at a time. */
  readonly roundTrip: Percentiles
  /** Messages per second over 64 connections. */
  readonly perSecond: number
}

export async function measureLoopback(projectFolder: string, seconds: number): Promise<Loopback> {
  const script = processEntry(new URL('./echo-server.ts', import.meta.url))
  const server = await startServer({ name: 'echo', args: script, cwd: projectFolder, env: {} })
  try {
    const roundTrip = await pingPong(server.port, 1, seconds)
    const many = await pingPong(server.port, 64, seconds)
    return { roundTrip, perSecond: many.count / seconds }
  } finally {
    await server.stop()
  }
}

async function pingPong(port: number, connections: number, seconds: number): Promise<Percentiles> {
  const histogram = newHistogram()
  const endMs = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: connections }, () => playOne(port, endMs, (ms) => recordMs(histogram, ms))))
  return percentilesOf([encodeHistogram(histogram)])
}

function playOne(port: number, endMs: number, record: (milliseconds: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentMs = 0
    let missing = 0
    const send = (socket: Socket): void => {
      sentMs = performance.now()
      missing = MESSAGE.length
      socket.write(MESSAGE)
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => send(socket))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (bytes) => {
      missing -= bytes.length
      if (missing > 0) return
      const nowMs = performance.now()
      record(nowMs - sentMs)
      if (nowMs < endMs) send(socket)
      else socket.destroy()
    })
  })
}
