// Each planted bug has its place in the sources of today: a bug that is planted nowhere would show nothing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { PLANTED_BUGS } from './planted-bugs.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

describe('a planted bug', () => {
  for (const { name, changes } of PLANTED_BUGS) {
    it(`has its place in the sources: ${name}`, () => {
      for (const { file, from } of changes) assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(from), `${file}: ${from}`)
    })
  }
})
