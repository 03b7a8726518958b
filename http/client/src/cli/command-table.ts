// All commands, in the order of the help.
import type { Command } from './command.ts'
import { UPLOAD_BATCH } from './commands/batch-commands.ts'
import { CREATE_CHARGE, CREATE_LINK } from './commands/charge-commands.ts'
import { RUN_CODE, TAIL_CODE } from './commands/code-commands.ts'
import { completionCommand } from './commands/completion-command.ts'
import { DISBURSE } from './commands/disburse-command.ts'
import { DOCTOR } from './commands/doctor-command.ts'
import { LIST_EVENTS, LISTEN, RESEND_EVENT } from './commands/event-commands.ts'
import { OPEN } from './commands/open-command.ts'
import { CREATE_PAYOUT } from './commands/payout-commands.ts'
import { RAW_COMMANDS } from './commands/raw-commands.ts'
import { TAIL_LOGS } from './commands/request-log-command.ts'
import { resourceCommands } from './commands/resource-commands.ts'
import { BACKUP, RESTORE, VERIFY } from './commands/server-commands.ts'
import { BALANCE, LOGIN } from './commands/session-commands.ts'
import { TRIGGER } from './commands/trigger-command.ts'

const WRITTEN: readonly Command[] = [
  LOGIN,
  BALANCE,
  CREATE_CHARGE,
  CREATE_LINK,
  CREATE_PAYOUT,
  DISBURSE,
  UPLOAD_BATCH,
  LIST_EVENTS,
  RESEND_EVENT,
  LISTEN,
  TRIGGER,
  TAIL_LOGS,
  RUN_CODE,
  TAIL_CODE,
  ...RAW_COMMANDS,
  OPEN,
  VERIFY,
  BACKUP,
  RESTORE,
  DOCTOR,
  completionCommand(() => COMMANDS),
]

export const COMMANDS: readonly Command[] = [...WRITTEN, ...resourceCommands(WRITTEN)]
