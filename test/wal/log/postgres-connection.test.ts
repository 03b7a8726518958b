// Errors of PostgreSQL in the words of operators.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogError } from '../../../wal/log/log-error.ts'
import { reasonOf, startError } from '../../../wal/log/postgres-connection.ts'

test('a lock that is not free in time means that a commit waits for the standby, at a start too', () => {
  const timeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  assert.match(reasonOf(timeout), /^no synchronous standby has confirmed a commit/)
  const { code, message } = startError(timeout) as LogError
  assert.deepEqual([code, message], ['log_unreachable', 'no synchronous standby has confirmed a commit.'])
  const other = new Error('connection lost')
  assert.deepEqual([reasonOf(other), startError(other)], ['connection lost', other])
})
