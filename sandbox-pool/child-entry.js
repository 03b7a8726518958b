// First script of the child: closes file descriptors inherited from the server, then runs the compiled child.ts that it receives.
// Plain JavaScript, so that no loader runs or opens a file before.
import { closeSync, readdirSync, readlinkSync } from 'node:fs'

const STANDARD_STREAMS = 3
const LENGTH_BYTES = 4
const HARMLESS = /^(?:anon_inode:|\/dev\/(?:null|u?random)$)/

const noInheritedFiles = closeInherited()
// The stack of a script without a file would contain the whole script.
process.on('uncaughtException', (error) => {
  process.stderr.write(String(error?.message ?? error))
  process.exit(1)
})
const { content, rest } = await firstFrame(process.stdin)
const settings = JSON.parse(content.toString())
const { start } = await import(`data:text/javascript;base64,${Buffer.from(settings.scripts.child).toString('base64')}`)
await start(settings, { noInheritedFiles, rest, workerFile: new URL('./worker-entry.js', import.meta.url) })

/** Closes inherited descriptors. Returns whether none is open now; false if the system does not report them. */
function closeInherited() {
  const files = openFiles()
  if (files === null) return false
  for (const file of files) if (isForeign(file, files)) closeSync(file.descriptor)
  const left = openFiles()
  return left?.every((file) => !isForeign(file, left)) === true
}

/** Returns the target of each open descriptor. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        return [{ descriptor: Number(descriptor), target: readlinkSync(`/proc/self/fd/${descriptor}`) }]
      } catch {
        // The descriptor of the listed folder, closed since.
        return []
      }
    })
  } catch {
    // No such file system.
    return null
  }
}

/** Node's own pipes have both ends in this process. An inherited pipe has one. */
function isForeign({ descriptor, target }, files) {
  if (descriptor < STANDARD_STREAMS || HARMLESS.test(target)) return false
  return !target.startsWith('pipe:') || files.filter((file) => file.target === target).length === 1
}

/** Reads the first frame of the server (see frames.ts), and the bytes of later frames that have already arrived. */
function firstFrame(stream) {
  let bytes = Buffer.alloc(0)
  return new Promise((resolve) => {
    stream.on('end', () => process.exit(0))
    stream.on('data', function take(piece) {
      bytes = Buffer.concat([bytes, piece])
      const end = LENGTH_BYTES + (bytes.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : bytes.readUInt32LE())
      if (bytes.length < end) return
      stream.off('data', take).pause()
      resolve({ content: bytes.subarray(LENGTH_BYTES, end), rest: bytes.subarray(end) })
    })
  })
}
