// The paid lines of a disbursement in the form of a monthly schedule.
import type { Disbursement } from '../../../../engine/contract/disbursement.ts'
import { BATCH_LINES_MAX } from '../../../../engine/kernel/limits.ts'
import { paymentFileText, type WrittenLine } from '../../../client/src/payment-file/payment-file-text.ts'
import type { Route } from '../../../server/route.ts'
import { countText } from '../../shared/amount-text.ts'
import { texts } from '../../shared/texts.ts'
import { fileLine, readLines } from '../pay-out/disbursement-lines.ts'
import { showDisbursement } from '../pay-out/disbursement-record.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { EMPTY_SCHEDULE, showScheduleForm } from './schedule-form.ts'

const TEXTS = texts({
  fr: { tooMany: (linesMax: string) => `Un versement programmé a au plus ${linesMax} lignes.` },
  en: { tooMany: (linesMax) => `A scheduled payout has at most ${linesMax} lines.` },
})

export function repeatRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/disbursements/{id}/repeat',
      operationId: 'showDisbursementRepeat',
      needs: 'createSchedule',
      summary: 'The paid lines as a schedule',
      show: repeatMonthly,
    }),
  ]
}

async function repeatMonthly(visit: Visit): Promise<void> {
  const [id = ''] = visit.params
  const record = await visit.ask<Disbursement>('getDisbursement', { params: [id] })
  if (!record.ok) return visit.missing()
  const lines: WrittenLine[] = []
  const seen: Parameters<typeof readLines>[2] = (line) => {
    if (line.state === 'paid') lines.push(fileLine(line))
  }
  await readLines(visit, id, seen, () => lines.length > BATCH_LINES_MAX)
  if (lines.length > BATCH_LINES_MAX) return showDisbursement(visit, { message: TEXTS.tooMany(countText(BATCH_LINES_MAX)) })
  showScheduleForm(visit, { ...EMPTY_SCHEDULE, lines: paymentFileText(lines, 'fr'), reference: record.body.reference }, null)
}
