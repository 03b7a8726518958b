// The order of the steps. Callers see it: of two mistakes in a request the earlier step's is answered.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ALWAYS_OPEN, ANSWER, ANSWERED_HERE, FORWARDED } from '../../../../http/server/steps/pipeline.ts'

const names = (steps: readonly { readonly name: string }[]): string => steps.map(({ name }) => name).join(' ')

it('the caller is known before the request is counted, its rights before its path, and all of it before its body', () => {
  assert.equal(
    names(ANSWERED_HERE),
    'cors frame caller node singleHeaders environment ownSite authenticate rateLimit csrf rights ownReads ' +
      'params query key echoKey size pause body open forward turn readFile validate keptAnswer ownCurrency handle',
  )
})

it('a path that is always open takes the same steps without those of node and caller', () => {
  const ofNodeAndCaller =
    'caller node singleHeaders environment ownSite authenticate rateLimit csrf rights ownReads open forward readFile ownCurrency'.split(' ')
  const others = ANSWERED_HERE.filter(({ name }) => !ofNodeAndCaller.includes(name))
  assert.equal(names(ALWAYS_OPEN), names(others))
})

it('a request that the owner answers is neither authenticated nor validated here', () => {
  assert.equal(names(FORWARDED), 'cors frame node size body open forward')
})

it('an answer is proven before it is sealed, and sealed before it leaves', () => {
  assert.equal(names(ANSWER), 'drain leaveParser prove closeConnection seal send')
})
