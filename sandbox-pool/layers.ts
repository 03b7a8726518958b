// What stands between the child and the machine, found out by the child itself from what it can see of its own process: what
// was asked for and what holds are two things. Must never claim a layer that it has not seen.
import { readFileSync } from 'node:fs'
import { getPriority, networkInterfaces } from 'node:os'
import { getuid } from 'node:process'

/** True: it holds. */
export interface SandboxLayers {
  /** Runs as a user of its own, not as the server's. */
  readonly ownUser: boolean
  /** No network interface, not even a loopback. */
  readonly noNetwork: boolean
  /** RLIMIT_DATA is set: memory ends somewhere, whatever the child does. */
  readonly memoryLimit: boolean
  readonly lowPriority: boolean
  /** Was started without a single variable. */
  readonly emptyEnvironment: boolean
  /** Has no file, socket or pipe of the server's but the standard streams; see child-entry.js. */
  readonly noInheritedFiles: boolean
  /** Can't gain rights, not even by a program with the set-user-id bit. */
  readonly noNewPrivileges: boolean
}

export const LAYER_NAMES = [
  'ownUser',
  'noNetwork',
  'memoryLimit',
  'lowPriority',
  'emptyEnvironment',
  'noInheritedFiles',
  'noNewPrivileges',
] as const satisfies (keyof SandboxLayers)[]

/** What the child compares itself with. */
export interface ParentTraits {
  readonly uid: number | null
  readonly priority: number
}

export function inspectLayers(parent: ParentTraits, noInheritedFiles: boolean): SandboxLayers {
  return {
    ownUser: getuid !== undefined && parent.uid !== null && getuid() !== parent.uid,
    noNetwork: Object.keys(networkInterfaces()).length === 0,
    memoryLimit: /^Max data size\s+\d/m.test(ownFile('limits')),
    lowPriority: getPriority() > parent.priority,
    emptyEnvironment: isEmptyEnvironment(),
    noInheritedFiles,
    noNewPrivileges: /^NoNewPrivs:\s*1$/m.test(ownFile('status')),
  }
}

function ownFile(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1')
  } catch {
    // Not Linux, or hidden: then nothing is claimed.
    return ''
  }
}

function isEmptyEnvironment(): boolean {
  try {
    return readFileSync('/proc/self/environ').length === 0
  } catch {
    // As above.
    return false
  }
}
