// `npm run collection -- <file>`: writes the requests of every route as a collection for Postman and Bruno.
import { writeFile } from 'node:fs/promises'
import { collectionOf } from './collection.ts'
import { documentOf } from './document.ts'

const [, , file = 'cauri.postman_collection.json'] = process.argv
if (file.startsWith('-')) {
  process.stderr.write('usage: npm run collection -- [<file>]\n')
  process.exitCode = 2
} else await writeFile(file, `${JSON.stringify(collectionOf(documentOf(() => true)), null, 2)}\n`)
