// The queue in front of slow hashes: networks take turns, and a full one drops from the network that filled it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FairQueue } from '../../../http/crypto/fair-queue.ts'

function drained(queue: FairQueue<string>): string[] {
  const all: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) all.push(item)
  return all
}

describe('a fair queue', () => {
  it('a fair queue serves each network in turn, and in order within it', () => {
    const queue = new FairQueue<string>(10)
    for (const item of ['a1', 'a2', 'a3']) queue.push('41.82.7.9', item)
    for (const item of ['b1', 'b2']) queue.push('2001:db8:7:1::/64', item)
    assert.deepEqual(drained(queue), ['a1', 'b1', 'a2', 'b2', 'a3'])
    assert.equal(queue.size, 0)
  })

  it('a fair queue gives a provider one turn, however many of its sites wait', () => {
    const queue = new FairQueue<string>(100)
    for (let site = 0; site < 50; site++) queue.push(`2001:db8:${site.toString(16)}:1::/64`, 'attacker')
    queue.push('41.82.7.9', 'honest')
    assert.deepEqual(drained(queue).slice(0, 2), ['attacker', 'honest'])
  })

  it('a fair queue serves who comes seldom before all that come often, and forgets use with time', () => {
    let nowMs = 0
    const queue = new FairQueue<string>(100, () => nowMs)
    const busy = Array.from({ length: 20 }, (_, index) => `${50 + index}.1.1.1`)
    for (let round = 0; round < 3; round++) {
      for (const address of busy) queue.push(address, 'busy')
      drained(queue)
    }
    for (const address of busy) queue.push(address, 'busy')
    for (const item of ['seldom', 'again']) queue.push('41.82.7.9', item)
    assert.deepEqual(drained(queue).slice(0, 2), ['seldom', 'again'])
    nowMs = 3_600_000
    queue.push('41.82.7.9', 'now and then')
    drained(queue)
    queue.push('41.82.7.9', 'used last')
    queue.push(busy[0] as string, 'used an hour ago')
    assert.deepEqual(drained(queue), ['used an hour ago', 'used last'])
  })

  it('a fair queue when it is full drops the newest of the busiest network, and refuses a newcomer only from there', () => {
    const queue = new FairQueue<string>(4)
    for (const item of ['a1', 'a2', 'a3', 'a4']) assert.equal(queue.push('41.82.7.9', item), null)
    assert.equal(queue.push('41.82.7.10', 'a5'), 'a5')
    assert.equal(queue.push('42.1.1.1', 'b1'), 'a4')
    assert.equal(queue.push('43.1.1.1', 'c1'), 'a3')
    assert.equal(queue.size, 4)
    assert.deepEqual(drained(queue), ['a1', 'b1', 'c1', 'a2'])
  })

  it('a fair queue gives up everything that waits', () => {
    const queue = new FairQueue<string>(4)
    for (const item of ['a', 'b']) queue.push('41.82.7.9', item)
    assert.deepEqual(queue.takeAll(), ['a', 'b'])
    assert.equal(queue.shift(), undefined)
  })
})
