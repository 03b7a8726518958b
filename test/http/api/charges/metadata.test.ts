// How much metadata a charge takes: counted in bytes, over all keys and values.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import type { TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'

let server: TestServer

before(async () => {
  server = await sharedServer()
})

/** Metadata whose keys and values have this many bytes: values of 500 as far as they go. */
function metadataOf(sizeBytes: number): Record<string, string> {
  const metadata: Record<string, string> = {}
  for (let left = sizeBytes, index = 10; left > 3; index++) {
    const value = 'v'.repeat(Math.min(500, left - 3))
    metadata[`k${index}`] = value
    left -= 3 + value.length
  }
  return metadata
}

const ROWS: readonly (readonly [given: string, metadata: Record<string, string>, status: number])[] = [
  ['8 192 bytes are taken', metadataOf(8192), 201],
  ['8 193 bytes are refused', metadataOf(8193), 400],
  ['few characters of more than 8 KiB of UTF-8 are refused', Object.fromEntries([...'abcdef'].map((key) => [key, '€'.repeat(460)])), 400],
  ['long keys count', Object.fromEntries(Array.from({ length: 50 }, (_, index) => ['é'.repeat(60) + index, 'v'.repeat(50)])), 400],
]

describe('metadata of a charge', () => {
  for (const [name, metadata, status] of ROWS) {
    test(name, async () => {
      const merchant = await server.merchant()
      const answer = await merchant.test.post<Charge & { code: string; param: string }>('/v1/biz/charges', { amount: 1, metadata })
      assert.equal(answer.status, status)
      if (status === 201) assert.deepEqual(answer.body.metadata, metadata)
      else assert.deepEqual([answer.body.code, answer.body.param], ['invalid_request', 'metadata'])
    })
  }
})
