// What has a timer, and the command by which a client asks for the same: the two can meet.
import type { Command } from '../../../engine/domain/command.ts'
import type { Prng } from '../../support/prng.ts'
import { dueOf, endOf, isAutomatic, type ModelMandate } from './models/mandates.ts'
import type { Models } from './models.ts'

export interface Race {
  readonly dueMs: number
  /** Null where only the timer does it. */
  readonly command: Command | null
}

/** One of the timers that are due at `untilMs` at the latest; null where there is none. Each kind that has one is drawn as often as the others. */
export function raceOf(models: Models, prng: Prng, untilMs: number): Race | null {
  const kinds = kindsOf(models)
    .map((races) => races.filter(({ dueMs }) => dueMs <= untilMs))
    .filter((races) => races.length > 0)
  return kinds.length === 0 ? null : prng.pick(prng.pick(kinds))
}

function kindsOf({ mandates, schedules, charges, disbursements, notices, outboxes }: Models): readonly (readonly Race[])[] {
  const due = [...mandates.mandates.values()].flatMap((mandate) => {
    const dueMs = dueOf(mandate)
    return dueMs === null ? [] : [{ mandate, dueMs }]
  })
  const collecting = due.filter(({ mandate }) => mandate.state === 'active')
  return [
    collecting.filter(({ mandate, dueMs }) => endOf(mandate) !== dueMs).map(raceOfMandate),
    collecting.filter(({ mandate, dueMs }) => endOf(mandate) === dueMs).map(raceOfMandate),
    due.filter(({ mandate }) => mandate.state === 'pending').map(raceOfMandate),
    due.filter(({ mandate }) => mandate.state === 'paused').map(raceOfMandate),
    [...schedules.schedules.values()].flatMap(({ account: merchant, id, nextMs }) =>
      nextMs === null ? [] : [{ dueMs: nextMs, command: { type: 'RunSchedule', merchant, id, dueMs: null } as const }],
    ),
    [...disbursements.disbursements.values()].flatMap(({ account: merchant, id, dueMs }) =>
      dueMs === null ? [] : [{ dueMs, command: { type: 'AdvanceDisbursement', merchant, id, dueMs } as const }],
    ),
    [...charges.charges.values()]
      .filter(({ state }) => state === 'pending')
      .map(({ account: merchant, token, expiresMs }) => ({
        dueMs: expiresMs,
        command: { type: 'ExpireCharge', merchant, token } as const,
      })),
    [...outboxes.fanOuts.open.values()].flatMap(({ account: merchant, id, dueMs }) =>
      dueMs === null ? [] : [{ dueMs, command: { type: 'OpenDeliveries', merchant, id, dueMs } as const }],
    ),
    Array.from(notices.notices.values(), ({ key, dueMs }) => ({ dueMs, command: { type: 'SendNotice', key } as const })),
  ]
}

function raceOfMandate({ mandate, dueMs }: { readonly mandate: ModelMandate; readonly dueMs: number }): Race {
  const { terms, account: merchant, state } = mandate
  const isAsked = state === 'active' && isAutomatic(mandate)
  return { dueMs, command: isAsked ? { type: 'AdvanceMandate', merchant, id: terms.id, dueMs: null } : null }
}
