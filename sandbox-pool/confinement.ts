// Finds the isolation layers that this machine supports for the child, as the command that starts `node`. Unsupported layers are
// left out. The child reports which layers are active (layers.ts).
import { execFile } from 'node:child_process'
import { getuid } from 'node:process'
import { CHILD_DATA_BYTES, CHILD_NICE, CHILD_UID, THREAD_DATA_BYTES } from './limits.ts'

type Command = readonly string[]

/** A layer that a busy machine shows late is not missing. */
const PROBE_MS = 30_000

/** Resolves to the command before the program, empty if no layer works. `files`: files that the child must be able to read. */
export async function findConfinement(threads: number, files: readonly string[]): Promise<Command> {
  const layers = layersFor(threads)
  const strongest = layers.flatMap((ways) => ways[0] ?? [])
  if (await canRead(strongest, files)) return strongest
  const working = await Promise.all(layers.map((ways) => firstWorking(ways, files)))
  const command = working.flat()
  return (await canRead(command, files)) ? command : []
}

/** Alternatives of each layer, strongest first. Each command runs the next, so commands that drop privileges come last. */
function layersFor(threads: number): readonly (readonly Command[])[] {
  const isRoot = getuid?.() === 0
  const ownUser = ['setpriv', `--reuid=${CHILD_UID}`, `--regid=${CHILD_UID}`, '--clear-groups', '--no-new-privs', '--pdeathsig=KILL', '--']
  const sameUser = ['setpriv', '--no-new-privs', '--pdeathsig=KILL', '--']
  const ownNetwork = ['unshare', '--net', '--']
  const ownUserNamespace = ['unshare', '--user', '--map-current-user', '--net', '--']
  return [
    [['nice', '-n', `${CHILD_NICE}`]],
    [['prlimit', `--data=${CHILD_DATA_BYTES + threads * THREAD_DATA_BYTES}`, '--']],
    isRoot ? [ownNetwork, ownUserNamespace] : [ownUserNamespace],
    isRoot ? [ownUser, sameUser] : [sameUser],
  ]
}

async function firstWorking(ways: readonly Command[], files: readonly string[]): Promise<Command> {
  for (const way of ways) if (await canRead(way, files)) return way
  return []
}

function canRead(command: Command, files: readonly string[]): Promise<boolean> {
  const [program = '', ...given] = [...command, 'head', '-c', '1', '--', ...files]
  return new Promise((resolve) => {
    execFile(program, given, { env: {}, cwd: '/', timeout: PROBE_MS, encoding: 'buffer' }, (error) => resolve(error === null))
  })
}
