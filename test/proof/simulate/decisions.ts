// What the engine decides, noted where it decides: most rejections leave no record, so the log alone cannot show that they are right.

import type { Command } from '../../../engine/domain/command.ts'
import { type Decision, isRefused } from '../../../engine/domain/decision.ts'
import type { CommandDefinition, NounModule } from '../../../engine/domain/noun-module.ts'
import { NounRegistry } from '../../../engine/domain/noun-registry.ts'
import { NOUNS } from '../../../engine/domain/registry.ts'

export interface Decided {
  readonly command: Command
  /** The record that the decision makes, if it makes one. Every record before it has been applied, and none from it on. */
  readonly sequence: number
  readonly timeMs: number
  /** Id of the operator; null for the one of the settings, and for commands of others. */
  readonly operatorId: string | null
  /** Code of the rejection; null for a command that was accepted. */
  readonly code: string | null
  /** True for a rejection that leaves a record all the same. */
  readonly isCounted: boolean
}

export class Decisions {
  /** The engine's nouns, with deciders that are noted. */
  readonly registry = new NounRegistry(NOUNS.map((noun: NounModule) => ({ ...noun, commands: this.#observed(noun.commands) })))
  /** Called when the engine decides a command. */
  onDecide: (command: Command) => void = () => {}
  #noted: Decided[] = []
  #hasRestarted = false

  /** Another engine decides from now on. What the one before decided beyond the end of the log is void. */
  restart(): void {
    this.#hasRestarted = true
  }

  /** Returns what was decided up to this sequence and was not taken yet, in order. */
  take(sequence: number): readonly Decided[] {
    let count = 0
    while ((this.#noted[count]?.sequence ?? Number.POSITIVE_INFINITY) <= sequence) count++
    return count === 0 ? [] : this.#noted.splice(0, count)
  }

  #observed(commands: NounModule['commands']): NounModule['commands'] {
    return Object.fromEntries(Object.entries(commands).map(([type, definition]) => [type, this.#observe(definition)]))
  }

  #observe(definition: CommandDefinition): CommandDefinition {
    return {
      ...definition,
      decide: (state, command, context) => {
        this.onDecide(command)
        const decision = definition.decide(state, command, context)
        const { sequence, timeMs, operator } = context
        this.#note({ command, sequence, timeMs, operatorId: operator?.id ?? null, ...codeOf(decision) })
        return decision
      },
    }
  }

  #note(decided: Decided): void {
    if (this.#hasRestarted) this.#noted = this.#noted.filter(({ sequence }) => sequence < decided.sequence)
    this.#hasRestarted = false
    this.#noted.push(decided)
  }
}

function codeOf(decision: Decision): Pick<Decided, 'code' | 'isCounted'> {
  if (isRefused(decision)) return { code: decision.refusal, isCounted: false }
  const { rejection = null } = decision
  return { code: rejection, isCounted: rejection !== null }
}
