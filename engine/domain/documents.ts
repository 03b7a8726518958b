// Documents: what an event says, read whole. A document that changes is written whole once; a change holds what changed and the
// place of a version that is whole, so a reader needs these two and nothing in between.
import { CHARGE_DOCUMENTS } from './charge/charge-versions.ts'
import type { Past } from './decision.ts'
import { MANDATE_DOCUMENTS } from './mandate/mandate-versions.ts'
import type { LogRecord, StoredEvent } from './record.ts'
import { SCHEDULE_DOCUMENTS } from './schedule/schedule-versions.ts'

/** JSON text of the document as the event leaves it. */
export type ReadDocument = (event: StoredEvent, past: Pick<Past, 'eventAt'>) => string

/** By type, then by version. */
const DOCUMENTS = documentsByType({ ...CHARGE_DOCUMENTS, ...MANDATE_DOCUMENTS, ...SCHEDULE_DOCUMENTS })

function documentsByType(table: Readonly<Record<string, ReadDocument>>): ReadonlyMap<string, readonly (ReadDocument | undefined)[]> {
  const documents = new Map<string, (ReadDocument | undefined)[]>()
  for (const [typeAndVersion, read] of Object.entries(table)) {
    const [type, version] = typeAndVersion.split('@') as [string, string]
    const ofType = documents.get(type) ?? []
    ofType[Number(version)] = read
    documents.set(type, ofType)
  }
  return documents
}

/** The document of an event whose text is not the document itself; the text of any other. */
export function documentText(event: StoredEvent, past: Pick<Past, 'eventAt'>): string {
  const read = DOCUMENTS.get(event.type)?.[event.version]
  return read === undefined ? event.text : read(event, past)
}

/** The stored body of an idempotency entry. */
export function bodyOf({ idempotency, events }: LogRecord, past: Pick<Past, 'eventAt'>): string {
  const body = idempotency?.body ?? ''
  if (typeof body === 'string') return body
  const event = events[body]
  return event === undefined ? '' : documentText(event, past)
}
