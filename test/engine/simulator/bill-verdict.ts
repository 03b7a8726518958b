// What a command about billers and bills must come to, by the independent model.
import type { Command } from '../../../engine/domain/command.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { positionOf } from '../../../engine/kernel/position.ts'
import type { BillBooks } from './bill-books.ts'
import type { Books, Verdict } from './books.ts'

interface AllBooks {
  readonly books: Books
  readonly bills: BillBooks
}

export function billVerdict({ books, bills }: AllBooks, record: LogRecord, command: Command): Verdict {
  switch (command.type) {
    case 'SaveBiller':
      return bills.save(billerOf(command.displayName ?? ''), books.merchantOf(command.merchant))
    case 'SetBillerLogo':
      return bills.setLogo(bills.slugOf(books.merchantOf(command.merchant)))
    case 'SaveProduct':
      return bills.addProduct(bills.slugOf(books.merchantOf(command.merchant)), command.slug)
    case 'SubmitBiller':
      return bills.submit(bills.slugOf(books.merchantOf(command.merchant)))
    case 'CurateBiller':
      return bills.approve(command.slug)
    case 'CreateQuote':
      return bills.quote(payloadField(record, 'id'), command.payer, command.biller, command.due?.amount ?? 0, record.timeMs)
    default:
      return paymentVerdict(bills, record, command)
  }
}

function paymentVerdict(bills: BillBooks, record: LogRecord, command: Command): Verdict {
  switch (command.type) {
    case 'PayBill': {
      const { payer, biller: slug, quoteId, amount } = command
      const chargeId = record.events.length === 0 ? null : payloadField(record, 'charge_id')
      const paying = { payer, slug, chargeId, position: positionOf(record.sequence, 0) }
      return quoteId === null ? bills.payTyped(paying, amount ?? 0) : bills.payQuote(quoteId, paying, record.timeMs)
    }
    case 'StartFulfillment':
      return bills.start(command.chargeId)
    case 'MarkFulfillmentCall':
      return bills.call(command.chargeId)
    case 'ReturnFulfillment':
      return bills.giveBack(command.chargeId)
    case 'EndFulfillment':
      return bills.end(command.chargeId, command.fulfillment.state)
    case 'RedeliverBill':
      return bills.redeliver(command.position, command.force)
    case 'RefundBill':
      return bills.refund(command.position)
    default:
      throw new Error(`the clients do not send ${command.type}`)
  }
}

/** As the engine makes slugs, for names that hold nothing but ASCII letters and digits. */
function billerOf(displayName: string): string {
  return displayName.toLowerCase().replace(' ', '-')
}

export function payloadField(record: LogRecord, field: string): string {
  return String((JSON.parse(record.events[0]?.text ?? '{}') as Record<string, unknown>)[field])
}
