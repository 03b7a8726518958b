// Isolation layers of the child. The child inspects its own process, because a requested layer may not be active. It must never
// report a layer that it has not verified.
import { readFileSync } from 'node:fs'
import { getPriority, networkInterfaces } from 'node:os'
import { getuid } from 'node:process'

/** State of each layer; true: the layer is active. */
export interface SandboxLayers {
  /** The child has a separate user, not the server's. */
  readonly ownUser: boolean
  /** The child has no network interface, not even a loopback. */
  readonly noNetwork: boolean
  /** RLIMIT_DATA limits the memory of the child. */
  readonly memoryLimit: boolean
  readonly lowPriority: boolean
  /** The child was started without environment variables. */
  readonly emptyEnvironment: boolean
  /** The child has no descriptor of the server except the standard streams; see child-entry.js. */
  readonly noInheritedFiles: boolean
  /** The child cannot gain privileges, not even by a set-user-id program. */
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

/** Properties of the server, for comparison. */
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
    // Not Linux, or /proc is hidden: no layer is reported.
    return ''
  }
}

function isEmptyEnvironment(): boolean {
  try {
    return readFileSync('/proc/self/environ').length === 0
  } catch {
    // Not Linux, or /proc is hidden: the layer is not reported.
    return false
  }
}
