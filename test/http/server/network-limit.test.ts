// How often a network may do something costly, at each width, and what a full table forgets.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networksOf, providerOf, siteOf } from '../../../http/outbound/networks.ts'
import { NetworkLimit } from '../../../http/server/network-limit.ts'
import type { NetworkRates } from '../../../http/server/server-limits.ts'

const HOUR_MS = 3_600_000
const RATES: NetworkRates = { ipv4: [4, 6, 8], ipv6: [4, 6, 8, 12] }

describe('networks of an address', () => {
  const rows = [
    { address: '41.82.7.9', networks: ['41.82.7.9', '41.82.7.0/24', '41.82.0.0/16'], site: '41.82.7.0/24' },
    {
      address: '2001:db8:7:12ab::/64',
      networks: ['2001:db8:7:12ab::/64', '2001:db8:7:1200::/56', '2001:db8:7::/48', '2001:db8::/32'],
      site: '2001:db8:7::/48',
    },
    { address: 'unknown', networks: ['unknown'], site: 'unknown' },
  ]
  for (const { address, networks, site } of rows) {
    it(`the networks of ${address} are ${networks.join(', ')}`, () => {
      assert.deepEqual(networksOf(address), networks)
      assert.deepEqual([siteOf(address), providerOf(address)], [site, networks.at(-1)])
    })
  }
})

describe('a network', () => {
  it('a network has so many tries at once, and as many again over an hour', () => {
    const limit = new NetworkLimit(RATES, 100)
    for (let tries = 0; tries < 4; tries++) assert.equal(limit.take('41.82.7.9', 0), 0)
    assert.equal(limit.take('41.82.7.9', 0), 900)
    assert.equal(limit.take('41.83.7.9', 0), 0)
    assert.equal(limit.take('41.82.7.9', HOUR_MS / 8), 450)
    assert.equal(limit.take('41.82.7.9', HOUR_MS / 4), 0)
    assert.equal(limit.take('41.82.7.9', HOUR_MS / 4), 900)
  })

  it('a network is counted as one for all its addresses, whichever width is used up first', () => {
    for (const addresses of [(index: number) => `2001:db8:7:${index.toString(16)}00::/64`, (index: number) => `41.82.7.${index}`]) {
      const limit = new NetworkLimit(RATES, 100)
      const taken = Array.from({ length: 200 }, (_, index) => limit.take(addresses(index), 0)).filter((waitS) => waitS === 0)
      assert.ok(taken.length <= 8, `${taken.length} were let through`)
    }
  })

  it('a network gets back what it did not use', () => {
    const limit = new NetworkLimit(RATES, 100)
    for (let tries = 0; tries < 40; tries++) {
      assert.equal(limit.take('41.82.7.9', 0), 0)
      limit.giveBack('41.82.7.9', 0)
    }
    limit.take('41.82.7.9', 0)
    assert.equal(limit.usage('41.82.7.9', 0), 0)
    limit.take('41.82.7.9', 0)
    assert.equal(limit.usage('41.82.7.9', 0), 1 / 4)
  })
})

describe('a full table', () => {
  it('a full table rejects no network and forgets nothing of a wide network that goes on asking', () => {
    const limit = new NetworkLimit(RATES, 16)
    let [attackers, honest] = [0, 0]
    for (let index = 0; index < 5000; index++) {
      if (limit.take(`2001:db8:7:${index.toString(16)}::/64`, index) === 0) attackers++
      if (limit.take(`41.${index % 250}.${Math.floor(index / 250)}.1`, index) === 0) honest++
      assert.ok(limit.size <= 16)
    }
    assert.equal(honest, 5000)
    assert.equal(attackers, 8)
  })
})
