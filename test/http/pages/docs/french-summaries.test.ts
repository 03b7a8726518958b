// The French titles of the reference are complete: each route and each group has one, and none is left over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRENCH_SUMMARIES, FRENCH_TAGS } from '../../../../http/pages/docs/french-summaries.ts'
import { TABLE } from '../../../support/api-document.ts'

test('each route of the reference has a French title', () => {
  assert.deepEqual(Object.keys(FRENCH_SUMMARIES).sort(), TABLE.map(({ operationId }) => operationId).sort())
})

test('each group of routes has a French name', () => {
  assert.deepEqual(Object.keys(FRENCH_TAGS).sort(), [...new Set(TABLE.map(({ tag }) => tag))].sort())
})
