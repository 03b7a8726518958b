// The list of merchant events, newest first, each with the state of its deliveries.

import type { EngineApi, ListPage, QueryAnswer } from '../../../engine/api.ts'
import { LIST_LIMIT_DEFAULT } from '../../../engine/contract/common.ts'
import { because } from '../../../engine/contract/reasons.ts'
import type { ListEventsQuery } from '../../../engine/contract/webhook.ts'
import { answerPage, answerSlices, SlicedPage } from '../../lists/list-answers.ts'
import { SLICE_COST } from '../../lists/list-limits.ts'
import { fairWork } from '../../server/fair-work.ts'
import { later } from '../../server/later.ts'
import type { Call, MerchantPrincipal } from '../../server/route.ts'

/** Events read per slice. Other requests run between two slices. */
const PER_SLICE = 16

type ListEngine = Pick<EngineApi, 'query'>
type ListCall = Call<unknown, ListEventsQuery, MerchantPrincipal>

export function answerEvents(engine: ListEngine, call: ListCall): void {
  const { account } = call.principal
  const undelivered = call.query.delivery_success === false ? engine.query('webhookEvents.undelivered', { account }) : null
  if (undelivered === null) {
    return answerSlices(call, (query, slice) => engine.query('webhookEvents.list', { account, query, slice }))
  }
  if (sliceOf(engine, call, []) === null) return call.refuse('invalid_parameter', 'cursor', because('cursor'))
  later(call, async () => answerPage(call, await undeliveredPage(engine, call, undelivered)))
}

async function undeliveredPage(engine: ListEngine, call: ListCall, positions: readonly number[]): Promise<ListPage> {
  const page = new SlicedPage(call.query.limit ?? LIST_LIMIT_DEFAULT)
  for (let from = 0; from < positions.length; from += PER_SLICE) {
    if (from > 0) await fairWork.turn(call.principal.account, SLICE_COST)
    const slice = sliceOf(engine, call, positions.slice(from, from + PER_SLICE))
    if (slice === null) break
    const full = page.fill(slice)
    if (full !== null) return full
  }
  return page.end()
}

function sliceOf(engine: ListEngine, call: ListCall, positions: readonly number[]): QueryAnswer<'webhookEvents.undeliveredSlice'> {
  return engine.query('webhookEvents.undeliveredSlice', { account: call.principal.account, query: call.query, positions })
}
