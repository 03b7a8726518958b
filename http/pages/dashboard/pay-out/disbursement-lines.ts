// The lines of a disbursement: its table, a pass over all of them, and the lines as a file that the form takes again.

import { DISBURSEMENT_LINES_PER_TURN } from '../../../../engine/api.ts'
import type { DisbursementLine } from '../../../../engine/contract/disbursement.ts'
import type { PayoutFailureCode } from '../../../../engine/contract/errors.ts'
import { isPhone } from '../../../../engine/kernel/recipient.ts'
import { SLICE_COST } from '../../../lists/list-limits.ts'
import { fairWork } from '../../../server/fair-work.ts'
import { maskedName } from '../../../text/masked-name.ts'
import { payoutFailureText } from '../../../text/payout-failure-messages.ts'
import type { Text } from '../../../text/text.ts'
import { amountText } from '../../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { badge, type Column, type Tone, table, theirs } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { feeColumn, feeNow, hasFees } from '../shared/fee-facts.ts'
import { recipientText } from '../shared/typed-text.ts'
import { amountCell } from './payment-lines.ts'

const TEXTS = texts({
  fr: {
    linesBulkPayout: 'Lignes du versement groupé',
    invalid: 'Non valide',
    waiting: 'En attente',
    cancelled: 'Annulée',
    paidAlready: 'Déjà versée',
    duplicate: 'En double',
    noLine: 'Aucune ligne.',
  },
  en: {
    linesBulkPayout: 'Lines of the bulk payout',
    invalid: 'Invalid',
    waiting: 'Waiting',
    cancelled: 'Cancelled',
    paidAlready: 'Paid already',
    duplicate: 'Duplicate',
    noLine: 'No line.',
  },
})

export const LINE_STATES: Readonly<Record<DisbursementLine['state'], readonly [Text, Tone]>> = {
  valid: [DASHBOARD_WORDS.pay2, 'wait'],
  waiting: [TEXTS.waiting, 'wait'],
  paid: [DASHBOARD_WORDS.paid, 'good'],
  failed: [DASHBOARD_WORDS.failed, 'bad'],
  invalid: [TEXTS.invalid, 'bad'],
  cancelled: [TEXTS.cancelled, 'calm'],
}

/** A line with its row in the file. */
export interface NumberedLine extends DisbursementLine {
  readonly number: number
}

/** Renders the lines. Before they are paid, the holder is looked up where the check found the wallet. */
export function disbursementLinesTable(visit: Visit, lines: readonly NumberedLine[]): Html {
  const columns: readonly Column<NumberedLine>[] = [
    { name: WORDS.line, card: 'line', isFigure: true, cell: ({ number }) => number },
    { name: DASHBOARD_WORDS.recipient, card: 'title', cell: (line) => theirs(lineRecipient(line)) },
    { name: WORDS.holder, card: 'about', cell: (line) => theirs(line.holder ?? holderBefore(visit, line)) },
    {
      name: WORDS.amount,
      card: 'amount',
      isFigure: true,
      cell: ({ amount, currency }) => (amount === null ? theirs(null) : amountText(amount, currency)),
    },
    ...feeColumn(lines, visit.currency),
    { name: WORDS.reference, card: 'about', cell: ({ reference }) => theirs(reference) },
    { name: DASHBOARD_WORDS.result, card: 'state', isProse: true, cell: (line) => result(visit, line) },
  ]
  return table(TEXTS.linesBulkPayout, columns, lines, TEXTS.noLine)
}

/** Only of lines that would be paid: an invalid line says nothing about a wallet. */
function holderBefore({ app, environment }: Visit, { state, recipient }: DisbursementLine): string | null {
  if (state !== 'valid') return null
  const wallet = isPhone(recipient)
    ? app.engine.query('wallets.byPhone', { phone: recipient })
    : app.engine.query('wallets.byTag', { environment, tag: recipient })
  return wallet === null ? null : maskedName(wallet)
}

function result(visit: Visit, { state, failure_code, payout_id, warnings }: DisbursementLine): Fragment {
  const shown = badge(...LINE_STATES[state])
  const linked = payout_id === undefined ? shown : html`<a href="${visit.to(`payouts/${payout_id}`)}">${shown}</a>`
  return html`${linked}${warnings.map((code) => html` ${badge(code === 'recently_paid' ? TEXTS.paidAlready : TEXTS.duplicate, 'wait')}`)}${
    failure_code !== undefined && html` <span class="soft">${payoutFailureText(failure_code)}</span>`
  }`
}

/** Returns the recipient as people write it; an invalid one as it was sent. */
function lineRecipient({ recipient, failure_code }: Pick<DisbursementLine, 'recipient' | 'failure_code'>): string {
  return failure_code === 'invalid_recipient' ? recipient : recipientText(recipient)
}

type AnyLine = Omit<DisbursementLine, 'holder'>

/** Calls `seen` with every line in order, so many in each turn of the account; `isEnough` ends it early. */
export function readLines(
  { app, principal }: Pick<Visit, 'app' | 'principal'>,
  id: string,
  seen: (line: AnyLine) => void,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const { account } = principal
  function* steps(): Generator<undefined, void> {
    let cursor: string | null = ''
    while (cursor !== null && !isEnough()) {
      const query: { limit: number; cursor?: string } = { limit: DISBURSEMENT_LINES_PER_TURN, ...(cursor === '' ? {} : { cursor }) }
      const page = app.engine.query('disbursements.lines', { account, id, query })
      if (page === null || page === 'not_found') return
      for (const line of page.lines) seen(line)
      cursor = page.nextCursor
      yield
    }
  }
  return fairWork.run(account, SLICE_COST, steps())
}

/** The lines of a disbursement before its start, as the check shows them. */
export interface LinesSeen {
  /** Lines that are paid, whose amount was paid to the same recipient within 72 hours. */
  readonly recentCount: number
  readonly recentAmount: number
  /** What the lines that would be paid cost by the rules as they are now. */
  readonly feeAmount: number
  readonly invalid: readonly { readonly failure_code?: PayoutFailureCode }[]
  /** The first of all lines, and the first of the invalid ones. */
  readonly first: readonly AnyLine[]
  readonly firstInvalid: readonly AnyLine[]
}

/** Maximum number of lines that a check shows. Beyond it, lines that are not paid come first. */
export const CHECKED_LINES_SHOWN_MAX = 500

export async function seeLines(visit: Visit, id: string): Promise<LinesSeen> {
  let [recentCount, recentAmount, feeAmount] = [0, 0, 0]
  const costs = hasFees(visit)
  const invalid: { failure_code?: PayoutFailureCode }[] = []
  const first: AnyLine[] = []
  const firstInvalid: AnyLine[] = []
  await readLines(visit, id, (line) => {
    if (first.length < CHECKED_LINES_SHOWN_MAX) first.push(line)
    if (line.state !== 'invalid') {
      if (costs) feeAmount += feeNow(visit, 'payout', line.amount ?? 0)
      if (!line.warnings.includes('recently_paid')) return
      recentCount++
      recentAmount += line.amount ?? 0
      return
    }
    invalid.push(line.failure_code === undefined ? {} : { failure_code: line.failure_code })
    if (firstInvalid.length < CHECKED_LINES_SHOWN_MAX) firstInvalid.push(line)
  })
  return { recentCount, recentAmount, feeAmount, invalid, first, firstInvalid }
}

/** Returns the row of the spreadsheet, where the lines came from one; else the place of the line. */
export function rowOf({ row, index }: Pick<DisbursementLine, 'row' | 'index'>): number {
  return row ?? index + 1
}

/** The cells of a line as a file has them. */
export function fileLine(line: AnyLine): { recipient: string; amount: string; reference: string; note: string } {
  const { amount, currency, reference, note } = line
  return { recipient: lineRecipient(line), amount: amountCell(amount, currency), reference, note }
}
