// Files of logos in live state: what is served depends on the rows alone, not on the order in which they came.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogoFiles } from '../../../engine/domain/logo-files.ts'

test('a file that two merchants sent is served from where one of them still has it, as after a recovery', () => {
  const [first, second] = [
    { file: 'one.png', position: 4096 },
    { file: 'one.png', position: 8192 },
  ]
  const lived = new LogoFiles()
  lived.replace([], [first])
  lived.replace([], [second])
  assert.equal(lived.at('one.png'), 4096)
  lived.replace([first], [])
  const recovered = new LogoFiles()
  recovered.replace([], [second])
  assert.deepEqual([lived.at('one.png'), recovered.at('one.png')], [8192, 8192])
  lived.replace([second], [])
  assert.equal(lived.at('one.png'), undefined)
})
