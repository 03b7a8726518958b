// PIN hashes and the threads that make them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isWeakPin, PinHasher } from '../../../../http/auth/wallet/pin-hasher.ts'
import { type ScryptQueue, ScryptThreads } from '../../../../http/crypto/scrypt-threads.ts'

const WEAK = ['0000', '1111', '9999', '1234', '12345', '123456', '4321', '987654', '0123', '7890', '3210', '111111', '1212', '112233']
const FINE = ['2580', '1357', '7391', '8264', '1235', '1110', '0001', '135790', '90210', '2468']

describe('weak PINs', () => {
  for (const pin of WEAK) it(`${pin} is a weak PIN`, () => assert.equal(isWeakPin(pin), true))
  for (const pin of FINE) it(`${pin} is not a weak PIN`, () => assert.equal(isWeakPin(pin), false))
})

describe('PIN hashes', () => {
  let threads: ScryptThreads
  let hasher: PinHasher

  before(() => {
    threads = new ScryptThreads(1)
    hasher = new PinHasher([Buffer.alloc(32, 1)], threads)
  })

  after(() => threads.close())

  for (const environment of ['test', 'live'] as const) {
    it(`${environment}: the same PIN matches, another does not`, async () => {
      const stored = await hasher.hash('7391', environment)
      assert.match(String(stored), environment === 'live' ? /^scrypt:v1:15:/ : /^scrypt:v1:10:/)
      assert.equal(await hasher.matches('7391', String(stored), environment), true)
      assert.equal(await hasher.matches('7392', String(stored), environment), false)
      assert.equal(await hasher.matches('739', String(stored), environment), false)
    })
  }

  it('PIN hashes count in every character', async () => {
    const stored = String(await hasher.hash('7391', 'test'))
    for (let at = stored.lastIndexOf(':') + 1; at < stored.length; at++) {
      const changed = `${stored.slice(0, at)}${stored[at] === 'A' ? 'Q' : 'A'}${stored.slice(at + 1)}`
      assert.equal(await hasher.matches('7391', changed, 'test'), false, `character ${at}`)
    }
  })

  it('PIN hashes have a salt: the same PIN never has the same hash', async () => {
    const hashes = await Promise.all([hasher.hash('7391', 'test'), hasher.hash('7391', 'test')])
    assert.notEqual(hashes[0], hashes[1])
  })

  it('PIN hashes are keyed: a server with another key cannot check them', async () => {
    const stored = await hasher.hash('7391', 'test')
    const other = new PinHasher([Buffer.alloc(32, 2)], threads)
    assert.equal(await other.matches('7391', String(stored), 'test'), false)
  })

  it('PIN hashes are there for test wallets that have none of their own, and for no others', async () => {
    assert.equal(await hasher.matches('2580', '', 'test'), true)
    assert.equal(await hasher.matches('2581', '', 'test'), false)
    assert.equal(await hasher.matches('2580', '', 'live'), false)
  })

  it('PIN hashes in a form that this release does not know stop here', async () => {
    await assert.rejects(hasher.matches('7391', 'scrypt:v3:15:x:y', 'test'), /form that this release knows/)
  })
})

describe('hashing threads', () => {
  const job = (log2Cost = 10) => ({ password: Buffer.from('p'), salt: Buffer.from('salt'), log2Cost })

  it('hashing threads refuse what is too much at once, and take work again after it', async () => {
    const threads = new ScryptThreads(1, { live: 2, remembered: 1, dashboard: 1, test: 1 })
    const live = Array.from({ length: 5 }, () => threads.run('live', job()))
    // One is in work, two wait, two are refused.
    assert.deepEqual(
      (await Promise.all(live)).map((key) => key !== null),
      [true, true, true, false, false],
    )
    assert.ok((await threads.run('live', job())) !== null)
    await threads.close()
  })

  it('hashing threads take live work before the dashboard’s, and that before test work', async () => {
    const threads = new ScryptThreads(1)
    const order: string[] = []
    const note = (name: string) => () => order.push(name)
    await Promise.all([
      threads.run('test', job()).then(note('first')),
      threads.run('test', job()).then(note('test')),
      threads.run('dashboard', job()).then(note('dashboard')),
      threads.run('live', job()).then(note('live')),
    ])
    assert.deepEqual(order, ['first', 'live', 'dashboard', 'test'])
    await threads.close()
  })

  it('hashing threads keep one of them free of passwords, so that a PIN waits for no password', async () => {
    const threads = new ScryptThreads(2)
    const hashes = ['dashboard', 'remembered', 'live'].map((queue) => threads.run(queue as ScryptQueue, job()))
    assert.equal(threads.waitingCount, 1, 'the second password waits, the PIN does not')
    assert.ok((await Promise.all(hashes)).every((key) => key !== null))
    await threads.close()
  })

  it('hashing threads serve the networks in turn: one that sends many does not keep another waiting', async () => {
    const threads = new ScryptThreads(1)
    const order: string[] = []
    const hash = (name: string, address: string) => threads.run('dashboard', job(), address).then(() => order.push(name))
    const busy = Array.from({ length: 6 }, (_, index) => hash(`busy ${index}`, `2001:db8:7:${index}::/64`))
    await Promise.all([...busy, hash('other', '41.82.7.9')])
    assert.ok(order.indexOf('other') <= 2, order.join())
    await threads.close()
  })

  it('hashing threads give the hash that scrypt gives, in any order', async () => {
    const threads = new ScryptThreads(2)
    const passwords = ['a', 'b', 'c', 'd']
    const keys = await Promise.all(passwords.map((password) => threads.run('test', { ...job(), password: Buffer.from(password) })))
    const again = await Promise.all(passwords.map((password) => threads.run('test', { ...job(), password: Buffer.from(password) })))
    assert.deepEqual(keys, again)
    assert.equal(new Set(keys.map((key) => key?.toString('hex'))).size, passwords.length)
    await threads.close()
  })

  it('hashing threads that end over a job say so, and the next job has a new one', async () => {
    const threads = new ScryptThreads(1)
    await assert.rejects(threads.run('test', job(30)), /the cost is one that was meant/)
    assert.ok((await threads.run('test', job())) !== null)
    await threads.close()
  })

  it('hashing threads that are closed leave no caller waiting', async () => {
    const threads = new ScryptThreads(1)
    const waiting = [threads.run('live', job(15)), threads.run('live', job(15))]
    await threads.close()
    assert.deepEqual(await Promise.all(waiting), [null, null])
    assert.equal(await threads.run('live', job()), null)
  })
})
