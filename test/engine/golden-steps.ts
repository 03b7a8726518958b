// Steps of the scenarios behind the golden files.

import assert from 'node:assert/strict'
import type { ActingOperator } from '../../engine/api.ts'
import type { Command } from '../../engine/domain/command.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { outcomeStatus } from '../support/outcome-status.ts'

/** Does the command a second after the one before, and demands the status. */
export function must(fixture: EngineFixture, command: Command, status: number, key?: string, operator?: ActingOperator): void {
  fixture.loop.nowMs += 1000
  const outcome = fixture.do(command, { ...(key === undefined ? {} : { key }), ...(operator === undefined ? {} : { operator }) })
  assert.equal(outcomeStatus(outcome), status, `${command.type}: ${outcome.body}`)
}

/** Id of what was made last. */
export function newestId(fixture: EngineFixture): string {
  return (JSON.parse(fixture.records.at(-1)?.events[0]?.text ?? '{}') as { id: string }).id
}
