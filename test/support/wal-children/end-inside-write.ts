// Opens the archive in argv[2], stores the mark of a write, and ends while it stands: by an exit, or as LMDB does, by an abort (argv[3]).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'

const path = process.argv[2] as string
await LmdbArchive.open({ path, logId: 'log', onWarning: () => {} })
writeFileSync(join(path, 'unfinished-writes'), '1')
if (process.argv[3] === 'abort') process.abort()
process.exit(3)
