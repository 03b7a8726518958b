// Opens the data folder in argv[2] without a check and stores a segment in its archive; says warnings and the end on standard output.
import { writeSync } from 'node:fs'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { addSegment, segmentOf } from '../segments.ts'

const folder = await openDataFolder({
  dataDir: process.argv[2] as string,
  onWarning: (message) => writeSync(1, `${message}\n`),
  check: async () => null,
})
await addSegment(folder.archive, segmentOf(folder.archive.indexedThrough, [{ high: 8, low: 8, position: 8192 }]))
await folder.close()
writeSync(1, 'stored\n')
