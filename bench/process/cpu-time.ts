// CPU time of other processes, from /proc; null where there is no /proc. It never signals or changes a process.
import { readdirSync, readFileSync } from 'node:fs'

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

interface ProcessStat {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

/** Returns user and system seconds of the processes and all their living descendants. */
export function cpuSecondsOf(pids: readonly number[]): number | null {
  const all = allProcesses()
  if (all === null) return null
  const counted = new Set(pids)
  let before = 0
  while (counted.size > before) {
    before = counted.size
    for (const { pid, parent } of all) if (counted.has(parent)) counted.add(pid)
  }
  return all.reduce((sum, { pid, seconds }) => (counted.has(pid) ? sum + seconds : sum), 0)
}

/** Returns the seconds of the process's first thread: in Node, the one that runs the JavaScript. */
export function mainThreadCpuSeconds(pid: number): number | null {
  return readStat(`/proc/${pid}/task/${pid}/stat`)?.seconds ?? null
}

export interface MachineSeconds {
  /** Busy seconds of all cores since boot: they show the load of other processes. */
  readonly busy: number
  /** Steal time of a virtual machine: it was ready to run and the host ran others. Not part of `busy`. */
  readonly stolen: number
}

/** Returns the seconds of the machine; null without /proc. */
export function machineSeconds(): MachineSeconds | null {
  let text: string
  try {
    text = readFileSync('/proc/stat', 'utf8')
  } catch {
    return null
  }
  // First line, proc(5): cpu user nice system idle iowait irq softirq steal guest guest_nice; guest is within user.
  const ticks = text.slice(0, text.indexOf('\n')).trim().split(/\s+/).slice(1).map(Number)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = ticks
  return { busy: (user + nice + system + irq + softirq) / TICKS_PER_SECOND, stolen: steal / TICKS_PER_SECOND }
}

function allProcesses(): ProcessStat[] | null {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return null
  }
  const stats = names.filter((name) => /^\d+$/.test(name)).map((pid) => readStat(`/proc/${pid}/stat`))
  return stats.filter((stat) => stat !== null)
}

/** Returns the fields of proc(5); null if the process has ended since the listing, which is no error. */
function readStat(path: string): ProcessStat | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return null
  }
  const afterName = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(afterName[1]),
    seconds: (Number(afterName[11]) + Number(afterName[12])) / TICKS_PER_SECOND,
  }
}
