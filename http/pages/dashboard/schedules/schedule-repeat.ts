// The paid lines of a disbursement in the form of a monthly schedule. Where a plan has no room for them, it names the disbursement.

import type { Disbursement } from '../../../../engine/contract/disbursement.ts'
import { BATCH_LINES_MAX } from '../../../../engine/kernel/limits.ts'
import { paymentFileText, type WrittenLine } from '../../../client/src/payment-file/payment-file-text.ts'
import type { Route } from '../../../server/route.ts'
import { languageOf } from '../../shared/page-language.ts'
import { fileLine, readLines } from '../pay-out/disbursement-lines.ts'
import { type DashboardParts, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { EMPTY_SCHEDULE, showScheduleForm } from './schedule-form.ts'

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
  const { reference } = record.body
  const isLong = lines.length > BATCH_LINES_MAX
  const payees = isLong ? { disbursement: record.body.id } : { lines: paymentFileText(lines, languageOf(visit.call).language) }
  showScheduleForm(visit, { ...EMPTY_SCHEDULE, ...payees, reference }, null)
}
