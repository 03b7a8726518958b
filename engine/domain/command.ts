// Every command, and how it is decided.
import { assert } from '../kernel/assert.ts'
import type { Context, Decision } from './decision.ts'
import type { CommandDefinition } from './noun-module.ts'
import type { NounRegistry } from './noun-registry.ts'
import type { Commands } from './registry.ts'
import type { State } from './state.ts'

type CommandOf<Definition> = Definition extends { readonly decide: (state: State, command: infer One, context: Context) => Decision }
  ? One
  : never

export type CommandType = keyof Commands

export type Command = { [Type in CommandType]: CommandOf<Commands[Type]> }[CommandType]

export function decide(registry: NounRegistry, state: State, command: Command, context: Context): Decision {
  return definitionOf(registry, command).decide(state, command as never, context)
}

/** What the command's turn costs, in lines of a payout batch: at least one. */
export function linesOf(registry: NounRegistry, state: State, command: Command): number {
  const lines = registry.commands.get(command.type)?.lines
  return lines === undefined ? 1 : Math.max(1, lines(command as never, state))
}

export function definitionOf(registry: NounRegistry, { type }: Command): CommandDefinition {
  const definition = registry.commands.get(type)
  assert(definition !== undefined, `a noun has the command ${type}`)
  return definition
}
