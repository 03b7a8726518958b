import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { cauri } from './cauri.mjs'

await pipeline(cauri.transactions.csv(), createWriteStream('statement.csv'))
console.log('written: statement.csv')
