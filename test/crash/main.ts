// `npm run crash`: rounds of kill -9 of the real server under load, 50 by default (`-- --rounds 200 --seed 7`).
import { parseArgs } from 'node:util'
import { runCrashRounds } from './rounds.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } } })
const rounds = Number(values.rounds)
const seed = Number(values.seed)
if (!Number.isSafeInteger(rounds) || !Number.isSafeInteger(seed) || rounds < 1) throw new Error('--rounds and --seed are whole numbers')

const report = await runCrashRounds({ rounds, seed, onRound: (text) => console.log(text) })
console.log(`nothing lost, nothing doubled, books balanced: ${JSON.stringify(report)}`)
