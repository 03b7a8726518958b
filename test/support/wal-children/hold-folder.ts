// Opens the data folder in argv[2], says so, and holds it until it is killed; with argv[3] `close` it closes it at once.
import { writeSync } from 'node:fs'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'

try {
  const folder = await openDataFolder({ dataDir: process.argv[2] as string, onWarning: () => {} })
  writeSync(1, 'open\n')
  if (process.argv[3] === 'close') await folder.close()
  else setInterval(() => {}, 60_000)
} catch (error) {
  const { code, message } = error as { code?: string; message: string }
  writeSync(1, `${JSON.stringify({ code, message })}\n`)
  process.exit(2)
}
