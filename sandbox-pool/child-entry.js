// The first thing that runs in the child: closes what the server left open by mistake, then runs child.ts as it was handed
// over. Plain JavaScript, so that nothing else, not even a loader, runs or opens a file before.
import { closeSync, readdirSync, readlinkSync } from 'node:fs'

const STANDARD_STREAMS = 3
const LENGTH_BYTES = 4
const HARMLESS = /^(?:anon_inode:|\/dev\/(?:null|u?random)$)/

const noInheritedFiles = closeInherited()
// A stack of a script without a file would fill the obituary with the script.
process.on('uncaughtException', (error) => {
  process.stderr.write(String(error?.message ?? error))
  process.exit(1)
})
const { content, rest } = await firstFrame(process.stdin)
const settings = JSON.parse(content.toString())
const { start } = await import(`data:text/javascript;base64,${Buffer.from(settings.scripts.child).toString('base64')}`)
await start(settings, { noInheritedFiles, rest, workerFile: new URL('./worker-entry.js', import.meta.url) })

/** Whether nothing of the server's is open now; false when the system does not tell. */
function closeInherited() {
  const files = openFiles()
  if (files === null) return false
  for (const file of files) if (isForeign(file, files)) closeSync(file.descriptor)
  const left = openFiles()
  return left?.every((file) => !isForeign(file, left)) === true
}

/** Where each descriptor leads. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        return [{ descriptor: Number(descriptor), target: readlinkSync(`/proc/self/fd/${descriptor}`) }]
      } catch {
        // The folder's own descriptor, closed since.
        return []
      }
    })
  } catch {
    // No such file system.
    return null
  }
}

/** Node's own pipes have both their ends in this process, one that was inherited has one. */
function isForeign({ descriptor, target }, files) {
  if (descriptor < STANDARD_STREAMS || HARMLESS.test(target)) return false
  return !target.startsWith('pipe:') || files.filter((file) => file.target === target).length === 1
}

/** What the server says first (see frames.ts), and what has come of the next frames already. */
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
