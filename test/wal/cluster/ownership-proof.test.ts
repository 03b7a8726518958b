// Which appends and reads prove that a node owns the log, and for whom.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OwnershipProof } from '../../../wal/cluster/ownership-proof.ts'

interface Read {
  readonly succeed: () => void
  readonly fail: (error: Error) => void
}

/** A proof whose reads of the owner row end when the test says. */
function givenProof(): { readonly proof: OwnershipProof; readonly reads: Read[] } {
  const reads: Read[] = []
  const proof = new OwnershipProof(() => new Promise((resolve, reject) => reads.push({ succeed: resolve, fail: reject })))
  return { proof, reads }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const LOST = new Error('another node owns the log')

it('a confirmed append proves the ownership for requests that came before it began, and for no later one', () => {
  const { proof, reads } = givenProof()
  const before = proof.mark()
  proof.beginAppend()
  const during = proof.mark()
  proof.endAppend(true)
  assert.deepEqual([proof.isProven(before), proof.isProven(during), reads.length], [true, false, 0])
})

it('an append that was not confirmed proves nothing', async () => {
  const { proof, reads } = givenProof()
  const mark = proof.mark()
  proof.beginAppend()
  proof.endAppend(false)
  assert.equal(proof.isProven(mark), false)
  const waiting = proof.whenProven(mark)
  assert.equal(reads.length, 1, 'the owner row is read instead')
  reads[0]?.succeed()
  await waiting
  assert.equal(proof.isProven(mark), true)
})

it('a failed read rejects those that wait for it, and proves nothing to those that ask later', async () => {
  const { proof, reads } = givenProof()
  const mark = proof.mark()
  const waiting = assert.rejects(proof.whenProven(mark), LOST)
  reads[0]?.fail(LOST)
  await waiting
  assert.equal(proof.isProven(mark), false)
  const again = assert.rejects(proof.whenProven(mark), LOST)
  assert.equal(reads.length, 2, 'the owner row is read once more')
  reads[1]?.fail(LOST)
  await again
})

it('a request that came while the row was read waits for the next read', async () => {
  const { proof, reads } = givenProof()
  const first = proof.whenProven(proof.mark())
  let isServed = false
  const second = proof.whenProven(proof.mark()).then(() => {
    isServed = true
  })
  reads[0]?.succeed()
  await first
  await turn()
  assert.deepEqual([isServed, reads.length], [false, 2])
  reads[1]?.succeed()
  await second
})

it('while an append is under way a request waits for it, and reads the row where the append fails', async () => {
  const { proof, reads } = givenProof()
  const mark = proof.mark()
  proof.beginAppend()
  const waiting = proof.whenProven(mark)
  assert.equal(reads.length, 0)
  proof.endAppend(false)
  proof.plan()
  assert.equal(reads.length, 1)
  reads[0]?.succeed()
  await waiting
})

it('who waits for those that wait is served by a failed read too', async () => {
  const { proof, reads } = givenProof()
  const waiting = assert.rejects(proof.whenProven(proof.mark()), LOST)
  let isSettled = false
  const settled = proof.settled().then(() => {
    isSettled = true
  })
  reads[0]?.fail(LOST)
  await waiting
  await turn()
  assert.equal(isSettled, false, 'it began after the read')
  reads[1]?.fail(LOST)
  await settled
  await proof.settled()
})
