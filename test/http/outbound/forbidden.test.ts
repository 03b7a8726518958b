// Where no call that a merchant chose may go: every way to write a private address, and every name that leads to one. A
// listener on the loopback sees to it that nothing ever connected.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OutboundCalls } from '../../../http/outbound/outbound-calls.ts'
import type { OutboundFailure } from '../../../http/outbound/outcome.ts'
import { isPublicAddress } from '../../../http/outbound/public-address.ts'
import { OUTBOUND_RULES, type OutboundRule } from '../../../http/outbound/rules.ts'
import { NameServer } from '../../support/name-server.ts'
import { Receiver } from '../../support/receiver.ts'

const { webhook, hostedFetch, lookup, gateway } = OUTBOUND_RULES

const SPECIAL = [
  ['this network', ['0.0.0.0', '0.1.2.3']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
  ['link-local and metadata', ['169.254.0.1', '169.254.169.254', 'fe80::1', '168.63.129.16', 'fd00:ec2::254']],
  ['documentation and tests', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1']],
  ['protocol assignments', ['192.0.0.1', '192.0.0.192', '192.88.99.1']],
  ['multicast, broadcast, reserved', ['224.0.0.1', '239.255.255.255', '255.255.255.255', '240.0.0.1', 'ff02::1']],
  ['unique local and site-local', ['fc00::1', 'fd12:3456:789a::1', 'fec0::1']],
  ['IPv4 inside IPv6', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['NAT64, 6to4, Teredo', ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:53aa:64c::1']],
  ['unspecified, discard, unassigned', ['::', '100::1', '4000::1', '5f00::1']],
  ['no address', ['', 'localhost', '127.1', '1.2.3', '1.2.3.4.5', '0x7f000001']],
] as const

for (const [what, addresses] of SPECIAL) {
  test(`an address is not public: ${what}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
  })
}

test('public unicast is public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4007::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

let canary: Receiver
let names: NameServer
let outbound: OutboundCalls
const unexpected: unknown[] = []

/** What the name server says; `rebinding.example` is public at the first question and private from then on. */
const ANSWERS: Readonly<Record<string, readonly [four: readonly string[], six: readonly string[]]>> = {
  'loopback.example': [['127.0.0.1'], []],
  'private.example': [['10.1.2.3'], []],
  'metadata.example': [['169.254.169.254'], []],
  'six.example': [[], ['::1']],
  'mapped.example': [[], ['::ffff:7f00:1']],
  'mixed.example': [['93.184.216.34', '127.0.0.1'], []],
  'mixed-families.example': [['93.184.216.34'], ['fd00::1']],
}

before(async () => {
  canary = await Receiver.open()
  names = await NameServer.open((name, family) => {
    if (name === 'broken.example') return 'failed'
    const known = ANSWERS[name]
    return known === undefined ? null : known[family === 4 ? 0 : 1]
  })
  outbound = new OutboundCalls({ allowPrivate: false, nameServers: [names.address], onUnexpected: (error) => unexpected.push(error) })
})

after(async () => {
  await outbound.close()
  names.close()
  await canary.close()
})

async function failureAt(url: string, rule: OutboundRule = webhook): Promise<OutboundFailure | number> {
  const outcome = await outbound.call({ rule, method: 'POST', url, headers: {}, body: '{}' })
  return outcome.kind === 'failed' ? outcome.failure : outcome.status
}

const LITERALS = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '0',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '168.63.129.16',
  '10.0.0.1',
  '192.168.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
]

test('every way to write a private address is refused', async () => {
  for (const host of LITERALS) {
    const failure = await failureAt(`https://${host}:${canary.port}/`)
    assert.equal(failure, 'forbidden_address', host)
  }
})

test('names are refused for what they lead to, whichever of their answers is private', async () => {
  for (const name of Object.keys(ANSWERS)) assert.equal(await failureAt(`https://${name}:${canary.port}/`), 'forbidden_address', name)
})

test('a name that does not exist, and one whose server does not work', async () => {
  assert.equal(await failureAt('https://absent.example/'), 'name_not_found')
  assert.equal(await failureAt('https://broken.example/'), 'name_unresolved')
})

test('what is no address, carries a name and a password, or is not HTTPS', async () => {
  const rows: readonly (readonly [string, OutboundFailure])[] = [
    ['', 'invalid_url'],
    ['example.com', 'invalid_url'],
    ['//example.com/', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['ftp://example.com/', 'invalid_url'],
    ['gopher://127.0.0.1:70/', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['https://user@example.com/', 'invalid_url'],
    ['https://user:secret@127.0.0.1/', 'invalid_url'],
    [`https://example.com/${'a'.repeat(3000)}`, 'invalid_url'],
    ['http://example.com/', 'https_required'],
    ['http://127.0.0.1/', 'https_required'],
  ]
  for (const [url, failure] of rows) assert.equal(await failureAt(url), failure, url)
  // A backslash is a slash to a URL parser: what stands before it is the host.
  assert.equal(await failureAt('https://absent.example\\@127.0.0.1/'), 'name_not_found')
})

test('hosted code, webhooks and lookups reach any port', async () => {
  assert.equal(await failureAt('https://absent.example:8443/', hostedFetch), 'name_not_found')
  assert.equal(await failureAt('https://absent.example:443/', hostedFetch), 'name_not_found')
  assert.equal(await failureAt('https://absent.example:8443/', webhook), 'name_not_found')
  assert.equal(await failureAt('https://absent.example:8443/', lookup), 'name_not_found')
})

test('headers that belong to the connection are refused', async () => {
  for (const name of ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade']) {
    const outcome = await outbound.call({ rule: gateway, method: 'POST', url: canary.url(), headers: { [name]: '1' }, body: '' })
    assert.equal(outcome.kind === 'failed' && outcome.failure, 'invalid_request', name)
  }
  const outcome = await outbound.call({ rule: gateway, method: 'POST', url: canary.url(), headers: { a: 'b\r\nc: d' }, body: '' })
  assert.equal(outcome.kind === 'failed' && outcome.failure, 'invalid_request')
})

test('after all that no forbidden address was reached, and no error was unexpected', () => {
  assert.equal(canary.connections, 0)
  assert.deepEqual(unexpected, [])
})

test('an address of the operator’s own may be private', async () => {
  const outcome = await outbound.call({ rule: gateway, method: 'POST', url: canary.url('/sms'), headers: {}, body: '{}' })
  assert.equal(outcome.kind === 'answered' && outcome.status, 200)
})
