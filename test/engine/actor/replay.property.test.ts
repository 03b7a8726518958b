// For any commands and any crashes: the money adds up, and what a restart gives is what was live when all of it was on disk.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import fc from 'fast-check'
import type { Command } from '../../../engine/domain/command.ts'
import { createMerchant, deposit, liveWallet, openMerchant, payout, testWallet, withdraw } from '../../support/commands.ts'
import { EngineFixture, stateRows } from '../../support/engine-fixture.ts'
import { assertMoneyAddsUp } from '../../support/money-sums.ts'

const tag = fc.constantFrom('awa', 'moussa', 'test_blocked', 'nobody')
const amount = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom(1_000_000_000_000, 900_000_000_000_000))
const environment = fc.constantFrom('live' as const, 'test' as const)
const text = fc.string({ unit: 'binary', maxLength: 8 })

/** Merchant 4 and 5 is there from the start. */
function commands(merchantId: string): fc.Arbitrary<Command> {
  const target = fc.oneof(fc.constant({ merchantId }), fc.record({ tag }, { noNullPrototype: true }))
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(4, 5), tag, amount, text).map((parts) => payout(...parts)) },
    { weight: 3, arbitrary: fc.tuple(target, amount, environment, text).map((parts) => deposit(...parts)) },
    { weight: 2, arbitrary: fc.tuple(target, amount, environment, text).map((parts) => withdraw(...parts)) },
    { weight: 1, arbitrary: tag.filter((name) => name !== 'nobody').map(testWallet) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('+2250700000001', '+2250700000002'), tag).map((parts) => liveWallet(...parts)) },
    { weight: 1, arbitrary: fc.constantFrom('neem', 'baobab').map(createMerchant) },
  )
}

type Step =
  | { readonly what: 'send'; readonly command: Command; readonly key: string | null }
  | { readonly what: 'turn' | 'flush' | 'settle' | 'restart' | 'restart without archive' | 'stop and start' }
  | { readonly what: 'pass'; readonly byMs: number }

function steps(merchantId: string): fc.Arbitrary<Step[]> {
  const key = fc.option(fc.constantFrom('a', 'b', 'c', 'd'))
  const send = fc.record({ what: fc.constant('send' as const), command: commands(merchantId), key }, { noNullPrototype: true })
  const work = fc.constantFrom('turn' as const, 'flush' as const, 'settle' as const).map((what) => ({ what }))
  const restart = fc
    .constantFrom('restart' as const, 'restart without archive' as const, 'stop and start' as const)
    .map((what) => ({ what }))
  const pass = fc.integer({ min: 1, max: 100_000 }).map((byMs) => ({ what: 'pass' as const, byMs }))
  return fc.array(
    fc.oneof(
      { weight: 20, arbitrary: send },
      { weight: 6, arbitrary: work },
      { weight: 2, arbitrary: restart },
      { weight: 2, arbitrary: pass },
    ),
    { maxLength: 60 },
  )
}

function digest(fixture: EngineFixture): string {
  const hash = createHash('sha256')
  for (const [key, value] of stateRows(fixture.state)) hash.update(`${key}\n${value}\n`)
  return hash.digest('hex')
}

async function takeStep(fixture: EngineFixture, step: Step): Promise<void> {
  switch (step.what) {
    case 'send':
      fixture.send(step.command, step.key === null ? {} : { key: step.key })
      break
    case 'turn':
      fixture.loop.turn()
      break
    case 'flush':
      fixture.disk.runOne()
      break
    case 'settle':
      fixture.settle()
      break
    case 'pass':
      fixture.loop.advance(step.byMs)
      break
    default:
      await restart(fixture, step.what)
  }
}

async function restart(fixture: EngineFixture, how: 'restart' | 'restart without archive' | 'stop and start'): Promise<void> {
  if (how === 'stop and start') await fixture.close()
  else fixture.kill()
  await (how === 'restart without archive' ? fixture.startWithoutArchive() : fixture.start())
}

it('replay gives what was live, and the money adds up', async () => {
  const { id } = openMerchant(await EngineFixture.open(), 'first')
  await fc.assert(
    fc.asyncProperty(steps(id), async (some) => {
      const fixture = await EngineFixture.open()
      assert.equal(openMerchant(fixture, 'first').id, id, 'the same seed gives the same merchant')
      for (const step of some) {
        await takeStep(fixture, step)
        assertMoneyAddsUp(fixture.state)
      }
      fixture.settle()
      assert.deepEqual(fixture.fatals, [])
      const live = digest(fixture)
      await fixture.start()
      assert.equal(digest(fixture), live, 'snapshot and tail')
      await fixture.startWithoutArchive()
      assert.equal(digest(fixture), live, 'the whole log')
      await fixture.close()
      await fixture.start()
      assert.equal(digest(fixture), live, 'the snapshot alone')
      assertMoneyAddsUp(fixture.state)
    }),
    { numRuns: 120 },
  )
})
