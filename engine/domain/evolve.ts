// Applies an event by the function that its type and version were released with. A released pair never changes: add the
// next version.
import { assert } from '../kernel/assert.ts'
import type { NounRegistry } from './noun-registry.ts'
import { type LogRecord, payloadOf, type StoredEvent, storedForm } from './record.ts'
import type { State } from './state.ts'

export function evolve(registry: NounRegistry, state: State, event: StoredEvent, record: LogRecord): void {
  const apply = registry.appliers.get(event.type)?.[event.version]
  assert(apply !== undefined, `the event ${event.type} version ${event.version} is known to this release`)
  // A released applier gets the shape of its own version, also when newer versions exist.
  if (apply !== null) apply(state, payloadOf(storedForm(event)) as never, event, record)
}

/** Whether this release can apply the event. */
export function knowsEvent(registry: NounRegistry, type: string, version: number): boolean {
  return registry.appliers.get(type)?.[version] !== undefined
}
