import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { cauri } from './cauri.mjs'

await pipeline(cauri.transactions.csv(), createWriteStream('statement.part'))
// The file is there only once it is whole.
await rename('statement.part', 'statement.csv')
console.log('written: statement.csv')
