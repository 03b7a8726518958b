// Connections are files: the maximum leaves room for those of log and archive.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectionsMax } from '../../../http/app/open-files.ts'
import { CONNECTIONS_MAX, RESERVED_FILES } from '../../../http/server/server-limits.ts'

describe('the maximum of connections', () => {
  const rows: readonly (readonly [openFiles: number | null, connections: number])[] = [
    [null, CONNECTIONS_MAX],
    [1024, 1024 - RESERVED_FILES],
    [RESERVED_FILES, 1],
    [CONNECTIONS_MAX + RESERVED_FILES, CONNECTIONS_MAX],
    [10_000_000, CONNECTIONS_MAX],
  ]
  for (const [openFiles, connections] of rows) {
    it(`${openFiles ?? 'unknown'} files: ${connections} connections`, () => {
      assert.equal(connectionsMax(openFiles), connections)
    })
  }

  it('the maximum of connections is found out here', () => {
    assert.ok(connectionsMax() > 0 && connectionsMax() <= CONNECTIONS_MAX)
  })
})
