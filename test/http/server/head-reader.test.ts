// Heads are reused: what one request sent must not be seen in the head of another.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dropHead, type HeadSource, readHead } from '../../../http/server/head-reader.ts'
import { RequestHead } from '../../../http/server/request-head.ts'

const sent = (headers: Readonly<Record<string, string>>): HeadSource => ({
  forEach: (visit) => {
    for (const [name, value] of Object.entries(headers)) visit(name, value)
  },
})

it('a head that was dropped begins as a new one, whichever fields it has', () => {
  const first = readHead(sent({ host: 'a', 'x-api-key': 'k', cookie: 'c' }))
  for (const field of Object.keys(first)) if (field !== 'isReused') (first as unknown as Record<string, unknown>)[field] = 'of the first'
  dropHead(first)
  const second = readHead(sent({}))
  assert.equal(second, first)
  assert.deepEqual({ ...second }, { ...new RequestHead(), isReused: true })
})

it('a head is taken once, also when it is dropped twice, and one that was not read is never taken', () => {
  const [dropped, own] = [readHead(sent({})), new RequestHead()]
  for (const head of [dropped, dropped, own]) dropHead(head)
  const next = [readHead(sent({ host: 'b' })), readHead(sent({ host: 'c' }))]
  assert.deepEqual(
    next.map(({ host }) => host),
    ['b', 'c'],
  )
  assert.ok(!next.includes(own) && next[0] !== next[1])
})
