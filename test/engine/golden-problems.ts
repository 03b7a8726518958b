// The golden scenario of problems: one answered and opened again, one ended by a refund.
import type { Command } from '../../engine/domain/command.ts'
import { positionOf } from '../../engine/kernel/position.ts'
import { CALLER, deposit, openMerchant, openWallet } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

export function playProblems(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const customer = openWallet(fixture, 'awa')
  must(fixture, deposit({ tag: 'awa' }, 1000), 201)
  const url = 'https://boutique.example/hook'
  must(fixture, { type: 'CreateEndpoint', merchant, url, events: ['problem.opened'], description: '', sealedSecret: 'sealed' }, 201)
  const newest = (): number => positionOf(fixture.engine.lastSequence, 0)
  const pay = (token: string): number => {
    const texts = { reference: 'commande', description: '', customerTag: '', redirectUrl: '', webhookUrl: '', metadata: {} }
    const checkoutUrl = `https://pay.example/pay/${token}`
    must(fixture, { type: 'CreateCharge', merchant, token, amount: 100, checkoutUrl, ...texts, madeBy: CALLER }, 201)
    must(fixture, { type: 'PayCharge', token, merchant: null, payer: customer, challengeId: null, answer: 'app' }, 200)
    return newest()
  }
  const open = (position: number, text: string): Command => ({ type: 'OpenProblem', customer, position, reason: 'not_received', text })
  const late = pay('late')
  must(fixture, open(late, 'Où est mon colis ?'), 201, 'open')
  const opened = newest()
  must(fixture, open(late, ''), 409, 'open again')
  must(fixture, { type: 'AnswerProblem', merchant, position: opened, answer: 'Il part demain.' }, 200, 'answer')
  must(fixture, { type: 'AnswerProblem', merchant, position: opened, answer: 'Demain.' }, 409)
  must(fixture, open(late, 'Toujours rien.'), 201)
  must(fixture, open(pay('twice'), ''), 201)
  must(fixture, { type: 'RefundCharge', merchant, token: 'twice', reason: 'paid_twice', text: 'Deux fois.' }, 200)
}
