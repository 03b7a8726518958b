// Indexes segment after segment into the archive in argv[2] until it is killed; says what is stored on standard output.
import { writeSync } from 'node:fs'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'
import { addSegment, numberedSegment } from '../segments.ts'

const archive = await LmdbArchive.open({ path: process.argv[2] as string, logId: 'log', onWarning: (message) => writeSync(2, message) })
for (let number = archive.indexedThrough + 1; ; number++) {
  await addSegment(archive, numberedSegment(number))
  writeSync(1, `${number}\n`)
}
