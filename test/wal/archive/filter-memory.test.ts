import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { describe, it } from 'node:test'
import { FILTERS_MAX_BYTES, filtersMaxBytes, memoryBytes } from '../../../wal/archive/filter-memory.ts'

const GIB = 2 ** 30

describe('memory of filters', () => {
  it('the filters of the index may take a sixteenth of the memory, from 256 MiB to 2 GiB', () => {
    assert.equal(filtersMaxBytes(GIB), GIB / 4)
    assert.equal(filtersMaxBytes(4 * GIB), GIB / 4)
    assert.equal(filtersMaxBytes(24 * GIB), 1.5 * GIB)
    assert.equal(filtersMaxBytes(32 * GIB), 2 * GIB)
    assert.equal(filtersMaxBytes(256 * GIB), 2 * GIB)
  })

  it('the memory of a container counts where it is less than that of the machine', () => {
    assert.equal(memoryBytes(24 * GIB, 8 * GIB), 8 * GIB)
    assert.equal(memoryBytes(24 * GIB, 0), 24 * GIB)
    assert.equal(memoryBytes(24 * GIB, 2 ** 64), 24 * GIB)
  })

  it('the limit of this process is that of a machine with no more memory than this one', () => {
    assert.ok(FILTERS_MAX_BYTES >= GIB / 4 && FILTERS_MAX_BYTES <= filtersMaxBytes(totalmem()))
  })
})
