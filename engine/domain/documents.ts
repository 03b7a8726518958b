// Documents: what an event says, read whole. A document that changes is written whole once; a change holds what changed and the
// place of a version that is whole, so a reader needs these two and nothing in between.
import type { Past } from './decision.ts'
import { type LogRecord, type StoredEvent, storedForm, textOf } from './record.ts'
import { REGISTRY } from './registry.ts'

/** The document of an event whose text is not the document itself; the text of any other, in its newest shape. */
export function documentText(event: StoredEvent, past: Pick<Past, 'eventAt'>, registry = REGISTRY): string {
  const read = registry.documents.get(event.type)?.[event.version]
  return read === undefined ? textOf(event) : read(event, past)
}

/** The stored body of an idempotency entry: the same bytes for ever, so in the shape that it was written with. */
export function bodyOf({ idempotency, events }: LogRecord, past: Pick<Past, 'eventAt'>, registry = REGISTRY): string {
  const body = idempotency?.body ?? ''
  if (typeof body === 'string') return body
  const event = events[body]
  return event === undefined ? '' : documentText(storedForm(event), past, registry)
}
