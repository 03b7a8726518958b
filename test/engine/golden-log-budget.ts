// The counts of what an account writes in a day: written, given back by a live payment, and begun anew the next day.
import type { Command } from '../../engine/domain/command.ts'
import { deposit, liveWallet, openMerchant, payout } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

const DAY_MS = 86_400_000

export function playLogBudget(fixture: EngineFixture): void {
  const { id, live, test } = openMerchant(fixture, 'Boutique')
  must(fixture, liveWallet('+2250700000001', 'awa'), 201)
  const endpoint = { url: 'https://boutique.example/hook', events: ['bill.paid'], description: 'é' } as const
  const create = (merchant: number): Command => ({ type: 'CreateEndpoint', merchant, ...endpoint, sealedSecret: 'sealed' })
  const send = (command: Command, mailbox: number, key?: string): void => {
    fixture.loop.nowMs += 1000
    fixture.do(command, { mailbox, ...(key === undefined ? {} : { key }) })
  }
  send(create(live), live)
  send(create(test), test, 'endpoint')
  must(fixture, deposit({ merchantId: id }, 100, 'live'), 201)
  send(payout(live, 'awa', 100), live)
  send(payout(live, 'awa', 100), live)
  send({ type: 'CreateTransfer', sender: test, recipient: 'awa', amount: 1, note: '' }, test, 'rejected')
  fixture.loop.nowMs += DAY_MS
  send(create(test), test)
}
