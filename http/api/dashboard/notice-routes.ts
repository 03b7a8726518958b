// Notices of the signed-in member: which kinds go to its e-mail address.
import { noticesOf } from '../../../engine/api.ts'
import { Notices, SetNoticesBody } from '../../../engine/contract/notice.ts'
import { type Route, route } from '../../server/route.ts'

const PATH = '/v1/dashboard/notices'

const NOTICES: Notices = {
  email: {
    ...{ activation: true, top_up: true, withdrawal: true, disbursement: true, run_failed: true },
    ...{ delivery_failed: true, biller_decision: true, new_device: true, approval_wanted: true, daily_summary: false },
  },
}

export function noticeRoutes(): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'getNotices',
      tag: 'Dashboard',
      summary: 'Get the chosen notices',
      description: 'Of the signed-in member. X-Environment has no effect: notices are about live alone.',
      auth: 'session',
      cashierReads: true,
      idempotency: 'none',
      responses: [{ status: 200, description: 'What the member gets.', schema: Notices, example: NOTICES }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify({ email: noticesOf(call.principal.user) } satisfies Notices)),
    }),
    route({
      method: 'PUT',
      path: PATH,
      operationId: 'setNotices',
      tag: 'Dashboard',
      summary: 'Choose notices',
      description: SET_DESCRIPTION,
      auth: 'session',
      memberRole: 'viewer',
      idempotency: 'none',
      body: SetNoticesBody,
      bodyExample: { email: { daily_summary: true } },
      responses: [{ status: 200, description: 'What the member gets from now on.', schema: Notices, example: NOTICES }],
      commands: ['SetNotices'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => {
        const { user, account } = call.principal
        call.submit({ type: 'SetNotices', userId: user.id, email: call.body.email }, account)
      },
    }),
  ]
}

const SET_DESCRIPTION = `Of the signed-in member. Owners begin with all kinds but \`daily_summary\`, other members with none. A cashier may choose \`new_device\`
alone, else 403 \`insufficient_role\`. A notice leaves within a minute of its event, once. Events of one kind within ten minutes of a notice are the next
one together. \`delivery_failed\` is the last failed attempt. \`daily_summary\` leaves at 7:00 in the time zone of the merchant, about the day before.`
