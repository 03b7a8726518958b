// Notices by e-mail: which kinds a member of a merchant gets.
import { type Static, Type } from './schema.ts'

export const NOTICE_KINDS = [
  'activation',
  'top_up',
  'withdrawal',
  'disbursement',
  'run_failed',
  'delivery_failed',
  'biller_decision',
  'new_device',
  'approval_wanted',
  'daily_summary',
] as const

export type NoticeKind = (typeof NOTICE_KINDS)[number]

const DESCRIPTIONS = {
  activation: 'An operator activated live money or refused to, or decided about a new name.',
  top_up: 'A top-up was credited or refused.',
  withdrawal: 'A withdrawal was paid or refused.',
  disbursement: 'A disbursement was completed or paused.',
  run_failed: 'A run of a schedule did not pay every line.',
  delivery_failed: 'The last attempt to deliver a paid bill or a webhook failed.',
  biller_decision: 'An operator decided about the directory page or its logo.',
  new_device: 'The member logged in from a browser that it had not used before.',
  approval_wanted: 'A disbursement waits for the approval of a second person.',
  daily_summary: 'The day before in figures, at 7:00 in the time zone of the merchant.',
} as const satisfies Record<NoticeKind, string>

const CHOICES = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, Type.Boolean({ description: DESCRIPTIONS[kind] })])) as Record<
  NoticeKind,
  ReturnType<typeof Type.Boolean>
>

export const Notices = Type.Object(
  { email: Type.Object(CHOICES, { $id: 'NoticesByEmail', description: 'True: the member gets notices of this kind.' }) },
  { $id: 'Notices', description: 'Which notices go to the e-mail address of the signed-in member.' },
)

export type Notices = Static<typeof Notices>

export const SetNoticesBody = Type.Object(
  { email: Type.Partial(Type.Object(CHOICES), { description: 'Kinds that are left out stay as they are.' }) },
  { $id: 'SetNoticesBody' },
)

export type SetNoticesBody = Static<typeof SetNoticesBody>
