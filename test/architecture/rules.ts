// Every rule that the source must keep.

import { COMMANDS } from './commands.ts'
import { COMMENT_PATHS } from './comment-paths.ts'
import { ENGINE_DOOR } from './engine-door.ts'
import { DECIDE_NEVER_EVOLVES, FLOORS, NO_CYCLES, NOUNS } from './floors.ts'
import { FULL_REFUSALS } from './full-refusals.ts'
import { HTTP_IMPORTS_GO_DOWN } from './http-floors.ts'
import { NO_INHERITANCE } from './inheritance.ts'
import { NO_LITERAL_ACCESSORS } from './literal-accessors.ts'
import { OUTSIDE_BOUNDS } from './outside-bounds.ts'
import { BUILTINS, PACKAGES } from './packages.ts'
import { PLAIN_WORDS } from './plain-words.ts'
import { PURE_ENGINE } from './purity.ts'
import { RECIPIENT_DOOR } from './recipient-door.ts'
import {
  ENVIRONMENT,
  FILE_SIZE,
  FUNCTION_SIZE,
  HEADERS,
  KEBAB_CASE,
  NAMES,
  NO_DEAD_FILES,
  NO_EMPTY_CATCH,
  UNFINISHED_WORK,
  WIRED,
} from './shape.ts'
import { STATE_CHANGES } from './state-changes.ts'
import type { Rule } from './violation.ts'

export const RULES: readonly Rule[] = [
  FLOORS,
  HTTP_IMPORTS_GO_DOWN,
  ENGINE_DOOR,
  NOUNS,
  DECIDE_NEVER_EVOLVES,
  NO_CYCLES,
  PACKAGES,
  BUILTINS,
  PURE_ENGINE,
  STATE_CHANGES,
  FILE_SIZE,
  FUNCTION_SIZE,
  HEADERS,
  NAMES,
  KEBAB_CASE,
  NO_INHERITANCE,
  NO_LITERAL_ACCESSORS,
  UNFINISHED_WORK,
  NO_EMPTY_CATCH,
  ENVIRONMENT,
  NO_DEAD_FILES,
  WIRED,
  PLAIN_WORDS,
  COMMENT_PATHS,
  COMMANDS,
  RECIPIENT_DOOR,
  OUTSIDE_BOUNDS,
  FULL_REFUSALS,
]
