// `npm run figures -- [FILE...]`: keeps the results of the files, then writes the figures into the documents.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderDocument } from './figures.ts'
import { DOCUMENTS, keep, readKept, readTemplate, takenFrom } from './kept-results.ts'

const ROOT = join(import.meta.dirname, '..', '..')

for (const path of process.argv.slice(2)) keep(takenFrom(path))
const results = readKept()
for (const document of DOCUMENTS) {
  const path = join(ROOT, document)
  writeFileSync(path, renderDocument(readFileSync(path, 'utf8'), readTemplate, results))
}
