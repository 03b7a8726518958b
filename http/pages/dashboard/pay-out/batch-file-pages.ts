// Payment of a file of lines: pasted or uploaded, checked by a dry run, then paid in batches of 500, one after the other.
// The page carries the unpaid lines as they were read once. The idempotency keys of the batches alone show what was paid, so a
// reload, a second click or a crash neither pays twice nor skips lines. The form is multipart: percent-encoding would add half of its size.
import type { Route } from '../../../server/route.ts'
import { newFormKey } from '../../shared/api-calls.ts'
import { BATCH_FILE_BYTES_MAX } from '../shared/dashboard-limits.ts'
import { type DashboardParts, fileRow, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { checkFile } from './batch-check.ts'
import { showBatchForm, type TypedFile, withText } from './batch-file-form.ts'
import { payPart, RUN_FIELDS, showRun } from './batch-run.ts'

export function batchFileRows(parts: DashboardParts): readonly Route[] {
  const bytesMax = BATCH_FILE_BYTES_MAX
  return [
    pageRow(parts, {
      path: '/batches/new',
      operationId: 'showBatchForm',
      needs: 'createBatch',
      summary: 'Pay many wallets',
      show: (visit) => showBatchForm(visit, { lines: '', reference: '' }, null),
    }),
    fileRow(parts, {
      path: '/batches/new',
      operationId: 'sendBatchCheck',
      needs: 'createBatch',
      summary: 'What it would pay',
      fields: ['lines', 'reference'],
      bytesMax,
      act: checkSent,
    }),
    fileRow(parts, {
      path: '/batches/edit',
      operationId: 'sendBatchEdit',
      needs: 'createBatch',
      summary: 'The lines again',
      fields: ['lines', 'reference'],
      bytesMax,
      act: (visit, _file, sent) => showBatchForm(visit, sent, null),
    }),
    fileRow(parts, {
      path: '/batches/again',
      operationId: 'sendBatchAgain',
      needs: 'createBatch',
      summary: 'The same lines as another file',
      fields: ['lines', 'reference'],
      bytesMax,
      act: (visit, _file, sent) => checkFile(visit, sent, newFormKey()),
    }),
    fileRow(parts, {
      path: '/batches',
      operationId: 'sendBatch',
      needs: 'createBatch',
      summary: 'Pay the next part',
      fields: RUN_FIELDS,
      bytesMax,
      act: (visit, _file, sent) => payPart(visit, sent, (typed) => checkFile(visit, typed, '')),
    }),
    pageRow(parts, { path: '/batches/runs/{key}', operationId: 'showBatchRun', summary: 'A file that was paid', show: showRun }),
  ]
}

async function checkSent(visit: Visit, file: Buffer | undefined, { lines, reference }: TypedFile): Promise<void> {
  const sent = await withText(visit, file, { lines, reference }, (words) => showBatchForm(visit, { lines, reference }, words))
  if (sent !== null) await checkFile(visit, sent, '')
}
