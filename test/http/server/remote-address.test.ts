// Whom a request is counted for.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isFromPrivateNetwork, isLoopback, remoteAddress } from '../../../http/server/remote-address.ts'

const ROWS: readonly { name: string; given: readonly [peer: string, forwardedFor: string, hops: number]; then: string }[] = [
  { name: 'the peer, without a proxy', given: ['41.82.1.2', '', 0], then: '41.82.1.2' },
  { name: 'the peer, whatever it says of itself', given: ['41.82.1.2', '1.1.1.1, 2.2.2.2', 0], then: '41.82.1.2' },
  { name: 'what our proxy saw', given: ['10.0.0.1', '41.82.1.2', 1], then: '41.82.1.2' },
  { name: 'not what the client put in front of it', given: ['10.0.0.1', '9.9.9.9, 41.82.1.2', 1], then: '41.82.1.2' },
  { name: 'what the outer of two proxies saw', given: ['10.0.0.1', '9.9.9.9, 41.82.1.2, 10.0.0.2', 2], then: '41.82.1.2' },
  { name: 'the peer, when the proxy says nothing', given: ['10.0.0.1', '', 1], then: '10.0.0.1' },
  { name: 'the peer, when there are fewer proxies than ours', given: ['10.0.0.1', '41.82.1.2', 2], then: '10.0.0.1' },
  { name: 'an address without its port', given: ['10.0.0.1', '41.82.1.2:50123', 1], then: '41.82.1.2' },
  { name: 'an IPv6 address without brackets and port', given: ['10.0.0.1', '[2001:db8:1:2::9]:443', 1], then: '2001:db8:1:2::/64' },
  { name: 'an IPv6 address in brackets', given: ['10.0.0.1', '[2001:db8:1:2::9]', 1], then: '2001:db8:1:2::/64' },
  { name: 'a mapped address with a port', given: ['10.0.0.1', '[::ffff:41.82.1.2]:443', 1], then: '41.82.1.2' },
  { name: 'a mapped address as IPv4', given: ['::ffff:41.82.1.2', '', 0], then: '41.82.1.2' },
  { name: 'a mapped address, written out', given: ['0000:0000:0000:0000:0000:ffff:2952:0102', '', 0], then: '41.82.1.2' },
  { name: 'a mapped address, in short', given: ['::ffff:2952:102', '', 0], then: '41.82.1.2' },
  { name: 'the /64 of an IPv6 address', given: ['2001:db8:1:2:3:4:5:6', '', 0], then: '2001:db8:1:2::/64' },
  { name: 'the same /64, written out', given: ['2001:0db8:0001:0002:0000:0000:0000:0009', '', 0], then: '2001:db8:1:2::/64' },
  { name: 'the same /64, in short', given: ['2001:db8:1:2::9', '', 0], then: '2001:db8:1:2::/64' },
  { name: 'the loopback', given: ['::1', '', 0], then: '0:0:0:0::/64' },
  { name: 'a zone', given: ['fe80::1%eth0', '', 0], then: 'fe80:0:0:0::/64' },
  { name: 'nonsense', given: ['10.0.0.1', 'unknown', 1], then: 'unknown' },
  { name: 'nothing', given: ['', '', 0], then: 'unknown' },
]

for (const { name, given, then } of ROWS)
  it(`the caller’s address is counted as ${name}`, () => assert.equal(remoteAddress(...given), then))

it('this machine itself, however its address is written, and no other', () => {
  for (const own of ['127.0.0.1', '127.9.9.9', '::1', '0000:0000:0000:0000:0000:0000:0000:0001', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
    assert.ok(isLoopback(own), own)
  }
  for (const other of [
    '',
    'unknown',
    '128.0.0.1',
    '10.0.0.1',
    '::',
    '::2',
    '::1:1',
    '1::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '127.0.0.1.evil',
  ]) {
    assert.ok(!isLoopback(other), other)
  }
})

it('private networks are distinguished from public ones', () => {
  const head = { forwardedFor: '', proxied: false }
  const own = ['127.0.0.1', '::1', '10.9.8.7', '172.16.0.1', '172.31.255.255', '192.168.1.1', '::ffff:10.0.0.1', 'fd00::1', 'fc00:1::2']
  for (const peer of own) assert.ok(isFromPrivateNetwork(peer, head, 0), peer)
  const other = ['', 'unknown', '172.15.0.1', '172.32.0.1', '11.0.0.1', '192.169.0.1', '41.82.1.2', '2001:db8::1', 'fe80::1', '::']
  for (const peer of other) assert.ok(!isFromPrivateNetwork(peer, head, 0), peer)
})

it('the forwarded address is judged, and a request without one is not believed', () => {
  const peer = '10.0.0.1'
  assert.ok(isFromPrivateNetwork(peer, { forwardedFor: '9.9.9.9, 10.0.0.7', proxied: true }, 1))
  assert.ok(!isFromPrivateNetwork(peer, { forwardedFor: '10.0.0.7, 9.9.9.9', proxied: true }, 1))
  assert.ok(!isFromPrivateNetwork(peer, { forwardedFor: '', proxied: false }, 1))
  assert.ok(!isFromPrivateNetwork(peer, { forwardedFor: '10.0.0.7', proxied: false }, 2))
})
