// A folder of its own for a test, removed when the test ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export function scratchFolder(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-wal-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
