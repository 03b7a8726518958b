// Payouts as a later release may write them, alone and in batches: the next version has a `test_label`. An earlier one reads as one with
// an empty label. The field's name is for tests alone, so that no real field can have it.
import type { BatchReport } from '../../engine/contract/batch.ts'
import type { BatchLine } from '../../engine/contract/batch-line.ts'
import { type Context, type Decision, isRefused } from '../../engine/domain/decision.ts'
import type { NounModule } from '../../engine/domain/noun-module.ts'
import { NounRegistry } from '../../engine/domain/noun-registry.ts'
import { type CreateBatch, decideCreateBatch } from '../../engine/domain/payout/batch-decide.ts'
import { packedBatch } from '../../engine/domain/payout/batch-events.ts'
import { BATCH_FORM } from '../../engine/domain/payout/batch-form.ts'
import type { BatchForm, DecidedLine } from '../../engine/domain/payout/batch-line.ts'
import { PAYOUT } from '../../engine/domain/payout/index.ts'
import { type CreatePayout, decideCreatePayout } from '../../engine/domain/payout/payout-decide.ts'
import type { Payout } from '../../engine/domain/payout/payout-state.ts'
import { payloadOf, type StoredEvent } from '../../engine/domain/record.ts'
import { NOUNS } from '../../engine/domain/registry.ts'
import type { State } from '../../engine/domain/state.ts'

/** What this release writes. */
const { payoutVersion: PAYOUT_NOW, batchVersion: BATCH_NOW } = BATCH_FORM
export const NEXT_PAYOUT_VERSION = PAYOUT_NOW + 1
export const NEXT_BATCH_VERSION = BATCH_NOW + 1

export interface LabelledPayout extends Payout {
  readonly test_label: string
}

export interface CreateLabelledPayout extends CreatePayout {
  readonly test_label: string
}

export interface LabelledLine extends BatchLine {
  readonly test_label: string
}

function decidePayout(state: State, command: CreateLabelledPayout, context: Context): Decision {
  const decision = decideCreatePayout(state, command, context)
  if (isRefused(decision)) return decision
  return { ...decision, events: decision.events.map((event) => withLabel(event, command.test_label)) }
}

function withLabel(event: StoredEvent, test_label: string): StoredEvent {
  const payout: LabelledPayout = { ...payloadOf<Payout>(event), test_label }
  return { ...event, version: NEXT_PAYOUT_VERSION, text: JSON.stringify(payout), payload: payout }
}

/** Lines without any label make a batch of the version before, as deciders do that still write the old one. */
function decideBatch(state: State, command: CreateBatch, context: Context): Decision {
  return decideCreateBatch(state, command, context, command.lines.some((line) => 'test_label' in line) ? NEXT_FORM : BATCH_FORM)
}

const NEXT_FORM: BatchForm = {
  batchVersion: NEXT_BATCH_VERSION,
  payoutVersion: NEXT_PAYOUT_VERSION,
  isPaid: (valuesCount) => valuesCount === 4,
  packLine: (out, { line, payoutId, failure }) => {
    const { recipient, note, amount, reference } = line
    const start = [payoutId, recipient, note]
    out.text(JSON.stringify([...start, ...(failure === null ? [] : [amount, reference, failure]), labelOf(line)]))
  },
  paidLine: (values: readonly string[], transaction) =>
    labelledLine(BATCH_FORM.paidLine(values.slice(0, 3) as never, transaction), values[3]),
  failedLine: (values: readonly string[]) => labelledLine(BATCH_FORM.failedLine(values.slice(0, 6) as never), values[6]),
  payout: (head, decided): LabelledPayout => ({ ...BATCH_FORM.payout(head, decided), test_label: labelOf(decided.line) }),
  payoutText: (payout) => JSON.stringify(payout),
  reportText: (head, lines) => {
    const report = JSON.parse(BATCH_FORM.reportText(head, lines)) as BatchReport
    const items = report.items.map((item, index) => ({ ...item, test_label: labelOf((lines[index] as DecidedLine).line) }))
    return JSON.stringify({ ...report, items })
  },
}

function labelledLine(decided: DecidedLine, test_label = ''): DecidedLine {
  return { ...decided, line: { ...decided.line, test_label } as LabelledLine }
}

function labelOf(line: BatchLine): string {
  return (line as Partial<LabelledLine>).test_label ?? ''
}

const upcastPayout = (payout: Payout): LabelledPayout => ({ ...payout, test_label: '' })
const upcastReport = (report: BatchReport): object => ({ ...report, items: report.items.map((item) => ({ ...item, test_label: '' })) })

export const LABELLED_PAYOUT = {
  ...PAYOUT,
  commands: {
    CreatePayout: { decide: decidePayout, rejections: [], overBudget: 'rejected' },
    CreateBatch: { decide: decideBatch, rejections: [], overBudget: 'rejected' },
  },
  events: {
    ...PAYOUT.events,
    [`payout.paid@${NEXT_PAYOUT_VERSION}`]: null,
    [`payout.failed@${NEXT_PAYOUT_VERSION}`]: null,
    [`batch.completed@${NEXT_BATCH_VERSION}`]: null,
  },
  packed: { ...PAYOUT.packed, [`batch.completed@${NEXT_BATCH_VERSION}`]: packedBatch(NEXT_FORM) },
  upcasters: {
    [`payout.paid@${PAYOUT_NOW}`]: upcastPayout,
    [`payout.failed@${PAYOUT_NOW}`]: upcastPayout,
    [`batch.completed@${BATCH_NOW}`]: upcastReport,
  },
} as const satisfies NounModule

export const LABELLED_REGISTRY = new NounRegistry(NOUNS.map((noun): NounModule => (noun === PAYOUT ? LABELLED_PAYOUT : noun)))
