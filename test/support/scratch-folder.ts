// A folder of its own for a test. When the test ends, what it opened is closed, last first, and the folder is removed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

interface Closable {
  close(): Promise<void>
}

const openedBy = new WeakMap<TestContext, Closable[]>()

export function scratchFolder(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-wal-'))
  closeLater(test, { close: async () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}

/** Closes the resource when the test ends: before what was opened earlier, so before the test's folder is removed. */
export function closeLater<Resource extends Closable>(test: TestContext, resource: Resource): Resource {
  openedOf(test).push(resource)
  return resource
}

function openedOf(test: TestContext): Closable[] {
  const before = openedBy.get(test)
  if (before !== undefined) return before
  const opened: Closable[] = []
  openedBy.set(test, opened)
  test.after(async () => {
    for (const resource of opened.reverse()) await resource.close()
  })
  return opened
}
