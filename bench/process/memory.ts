// Resident memory and open files of another process, from /proc; null where there is no /proc.
import { readdirSync, readFileSync } from 'node:fs'

/** Returns resident memory without pages of mapped files, which belong to the page cache. */
export function anonymousBytes(pid: number): number | null {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return null
  }
  const kibibytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]
  return kibibytes === undefined ? null : Number(kibibytes) * 1024
}

/** Returns the number of open files, sockets included. */
export function openFilesOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return null
  }
}

/** Returns the maximum of open files of this process; null if the system does not report it. */
export function openFilesMax(): number | null {
  try {
    const hard = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return hard === undefined ? null : Number(hard)
  } catch {
    return null
  }
}
