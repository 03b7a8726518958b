// The operator's token over the API: wrong ones are counted by address, and an address that guesses is refused.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { OperatorGuard, ROOT_PRINCIPAL } from '../../../../http/auth/operator/operator.ts'
import {
  COUNTED_NETWORKS_MAX,
  WRONG_OPERATOR_TOKENS_PER_NETWORK,
  WRONG_OPERATOR_TOKENS_WAIT_S,
} from '../../../../http/server/server-limits.ts'

const WRONG_OPERATOR_TOKENS_PER_ADDRESS = WRONG_OPERATOR_TOKENS_PER_NETWORK.ipv4[0]

const TOKEN = 'a-token-of-the-operator-for-tests'
const RIGHT = `Bearer ${TOKEN}`
const ADDRESS = '192.0.2.1'
/** An engine without operators with a name. */
const NO_OPERATORS = { query: () => null } as unknown as ConstructorParameters<typeof OperatorGuard>[1]

function guessing(count: number): { readonly guard: OperatorGuard; readonly clock: { nowMs: number } } {
  const clock = { nowMs: 1000 }
  const guard = new OperatorGuard(TOKEN, NO_OPERATORS, () => clock.nowMs)
  for (let index = 0; index < count; index++) assert.equal(guard.check(`Bearer guess-${index}`, ADDRESS), 'unauthorized')
  return { guard, clock }
}

test('a token whose SHA-256 begins or ends like that of the right one is wrong', () => {
  const pairs = [
    ['token-of-an-operator-144076', 'token-of-an-operator-165288', (digest: string) => digest.slice(0, 8)],
    ['token-of-an-operator-97130', 'token-of-an-operator-139986', (digest: string) => digest.slice(-8)],
  ] as const
  for (const [right, other, part] of pairs) {
    assert.equal(part(hash('sha256', right)), part(hash('sha256', other)))
    const guard = new OperatorGuard(right, NO_OPERATORS)
    assert.equal(guard.check(`Bearer ${right}`, ADDRESS), ROOT_PRINCIPAL)
    assert.equal(guard.check(`Bearer ${other}`, ADDRESS), 'unauthorized')
  }
})

test('an address that sent 100 wrong tokens is refused, the right token included', () => {
  const { guard } = guessing(WRONG_OPERATOR_TOKENS_PER_ADDRESS)
  assert.equal(WRONG_OPERATOR_TOKENS_PER_ADDRESS, 100)
  assert.equal(guard.check('Bearer guess', ADDRESS), 'rate_limited')
  assert.equal(guard.check(RIGHT, ADDRESS), 'rate_limited')
})

test('other addresses are not refused for it', () => {
  const { guard } = guessing(WRONG_OPERATOR_TOKENS_PER_ADDRESS)
  assert.equal(guard.check(RIGHT, '192.0.2.2'), ROOT_PRINCIPAL)
  assert.equal(guard.check(RIGHT, '2001:db8:0:1::/64'), ROOT_PRINCIPAL)
})

test('after the wait that Retry-After names the right token is taken', () => {
  const { guard, clock } = guessing(WRONG_OPERATOR_TOKENS_PER_ADDRESS)
  clock.nowMs += WRONG_OPERATOR_TOKENS_WAIT_S * 1000
  assert.equal(guard.check(RIGHT, ADDRESS), ROOT_PRINCIPAL)
})

test('refused requests do not make the wait longer, right tokens and requests without a token are not counted', () => {
  const { guard, clock } = guessing(WRONG_OPERATOR_TOKENS_PER_ADDRESS - 1)
  for (let index = 0; index < 200; index++) {
    assert.equal(guard.check('', ADDRESS), 'unauthorized')
    assert.equal(guard.check(RIGHT, ADDRESS), ROOT_PRINCIPAL)
  }
  assert.equal(guard.check('Basic b3BlcmF0b3I6', ADDRESS), 'unauthorized')
  for (let index = 0; index < 200; index++) assert.equal(guard.check('Bearer guess', ADDRESS), 'rate_limited')
  clock.nowMs += WRONG_OPERATOR_TOKENS_WAIT_S * 1000
  assert.equal(guard.check(RIGHT, ADDRESS), ROOT_PRINCIPAL)
})

test('as many addresses as one likes do not grow the table, nor free the one that guesses now', () => {
  const { guard } = guessing(WRONG_OPERATOR_TOKENS_PER_ADDRESS)
  for (let index = 0; index < COUNTED_NETWORKS_MAX - 1; index++) guard.check('Bearer guess', `2001:db8:${index.toString(16)}:0::/64`)
  assert.equal(guard.check(RIGHT, ADDRESS), 'rate_limited')
})
