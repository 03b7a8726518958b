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
  const opened = openedBy.get(test) ?? closedAfter(test)
  opened.unshift({ close: async () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}

function closedAfter(test: TestContext): Closable[] {
  const opened: Closable[] = []
  openedBy.set(test, opened)
  test.after(async () => {
    for (const resource of opened.reverse()) await resource.close()
  })
  return opened
}

/** Closes the resource before the test's folder is removed. */
export function closeLater<Resource extends Closable>(test: TestContext, resource: Resource): Resource {
  openedBy.get(test)?.push(resource)
  return resource
}
