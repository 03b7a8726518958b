// Writes and syncs of a process to its files, recorded by `perf` where it is installed and permitted. Times are microseconds of the
// monotonic clock.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Window } from '../cpu-profile.ts'
import { endWithParent, stopChild } from '../process/server-process.ts'

const CALLS = ['fdatasync', 'pwrite64'] as const
/** perf maps its buffers before the first event. */
const START_MS = 1000

export interface DiskCall extends Window {
  readonly call: (typeof CALLS)[number]
  readonly file: number
}

export class DiskRecording {
  readonly #child: ChildProcess
  readonly #path: string

  private constructor(child: ChildProcess, path: string) {
    this.#child = child
    this.#path = path
  }

  /** Starts to record. Returns null where perf cannot trace system calls. */
  static async start(pid: number, folder: string): Promise<DiskRecording | null> {
    const path = join(folder, 'disk.perf')
    const events = CALLS.flatMap((call) => [`syscalls:sys_enter_${call}`, `syscalls:sys_exit_${call}`]).join(',')
    const child = spawn('perf', ['record', '-k', 'CLOCK_MONOTONIC', '-e', events, '-p', String(pid), '-o', path], { stdio: 'ignore' })
    endWithParent(child)
    const isRunning = await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false))
      child.once('exit', () => resolve(false))
      setTimeout(() => resolve(true), START_MS)
    })
    return isRunning ? new DiskRecording(child, path) : null
  }

  /** Ends the recording and returns its calls in the order of their end. */
  async stop(): Promise<DiskCall[]> {
    await stopChild(this.#child, 'SIGINT')
    const script = spawn('perf', ['script', '-i', this.#path, '--ns', '-F', 'tid,time,event,trace'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    endWithParent(script)
    const parser = new DiskCallParser()
    for await (const line of createInterface({ input: script.stdout })) parser.push(line)
    return parser.calls
  }
}

/** Pairs the entries and exits of `perf script`: `  5449 46334.071830214: syscalls:sys_enter_fdatasync: fd: 0x00000012`. */
export class DiskCallParser {
  readonly calls: DiskCall[] = []
  readonly #entered = new Map<string, { readonly fromUs: number; readonly file: number }>()

  push(line: string): void {
    const match = /^\s*(\d+)\s+(\d+\.\d+):\s+syscalls:sys_(enter|exit)_(fdatasync|pwrite64):\s*(?:fd: (0x[0-9a-f]+))?/.exec(line)
    if (match === null) return
    const [, thread, seconds, edge, call, file] = match
    const timeUs = Number(seconds) * 1e6
    const key = `${thread} ${call}`
    if (edge === 'enter') {
      this.#entered.set(key, { fromUs: timeUs, file: Number(file) })
      return
    }
    const entered = this.#entered.get(key)
    if (entered === undefined) return
    this.#entered.delete(key)
    this.calls.push({ call: call as DiskCall['call'], file: entered.file, fromUs: entered.fromUs, toUs: timeUs })
  }
}

/** Returns the open files of a process below a folder. */
export function openFilesIn(pid: number, folder: string): Set<number> {
  const files = new Set<number>()
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${name}`).startsWith(folder)) files.add(Number(name))
    } catch {
      // Closed since the listing.
    }
  }
  return files
}
