// The golden scenario of mandates: each state, payments by request and by time, and retries.
import type { CreateMandate } from '../../engine/domain/mandate/mandate-decide.ts'
import { deposit, openMerchant, openWallet } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

const DAY_MS = 24 * 60 * 60_000

export function playMandates(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const customer = openWallet(fixture, 'awa')
  must(fixture, deposit({ tag: 'awa' }, 450), 201)
  const texts = { reference: 'abo', description: 'Abonnement', redirectUrl: '', approvalUrl: 'https://pay.example/mandates/t' }
  let tokens = 0
  const create = (more: Partial<CreateMandate>): string => {
    const terms = { amount: 100, maxAmount: null, interval: 'monthly', startMs: null, endMs: null, maxPayments: null } as const
    const command = { type: 'CreateMandate', merchant, token: `t${tokens++}`, customerTag: 'awa', ...terms, ...texts, ...more } as const
    fixture.loop.nowMs += 1000
    return (JSON.parse(fixture.do(command).body) as { id: string }).id
  }
  const approve = (id: string): void => must(fixture, { type: 'ApproveMandate', customer, id, challengeId: null }, 200)
  const pass = (ms: number): void => {
    fixture.loop.advance(ms)
    fixture.settle()
  }
  create({})
  must(fixture, { type: 'RejectMandate', customer, id: create({}) }, 200, 'reject')
  must(fixture, { type: 'CancelMandate', by: merchant, id: create({ endMs: fixture.loop.nowMs + 99 * DAY_MS }) }, 200, 'cancel')
  const onDemand = create({ interval: 'on_demand', amount: null, maxAmount: 200, maxPayments: 9 })
  approve(onDemand)
  must(fixture, { type: 'ChargeMandate', merchant, id: onDemand, amount: 50, reference: 'course' }, 201, 'charge')
  const monthly = create({})
  approve(monthly)
  const weekly = create({ interval: 'weekly', amount: 300, maxPayments: 2 })
  approve(weekly)
  pass(0)
  for (let day = 0; day < 12; day++) pass(DAY_MS)
}
