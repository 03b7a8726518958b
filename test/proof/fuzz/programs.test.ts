// The short form of `npm run fuzz -- --programs`: generated programs that call everything they can reach. Written ones: the other
// files of hostile code here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedProgram, writtenPrograms } from './hostile-programs.ts'
import { fuzzPrograms } from './program-fuzz.ts'

const SEED = 20_261_123
const GENERATED = 150

test('generated programs end, know nothing of the host, and leave the sandbox as it was', async () => {
  const { programs, failures } = await fuzzPrograms(Array.from({ length: GENERATED }, (_, number) => generatedProgram(SEED, number)))
  assert.deepEqual(failures, [])
  assert.equal(programs, GENERATED)
})

test('there are two hundred written programs, each of its own', () => {
  assert.equal(new Set(writtenPrograms(200)).size, 200)
})
