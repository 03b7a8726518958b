// All commands, in the order of the help.
import type { Command } from './command.ts'
import { UPLOAD_BATCH } from './commands/batch-commands.ts'
import { CREATE_CHARGE, CREATE_LINK } from './commands/charge-commands.ts'
import { RUN_CODE, TAIL_LOGS } from './commands/code-commands.ts'
import { completionCommand } from './commands/completion-command.ts'
import { DOCTOR } from './commands/doctor-command.ts'
import { LIST_EVENTS, LISTEN, RESEND_EVENT } from './commands/event-commands.ts'
import { CREATE_PAYOUT, LIST_PAYOUTS } from './commands/payout-commands.ts'
import { BACKUP, RESTORE, VERIFY } from './commands/server-commands.ts'
import { BALANCE, LOGIN } from './commands/session-commands.ts'
import { TRIGGER } from './commands/trigger-command.ts'

export const COMMANDS: readonly Command[] = [
  LOGIN,
  BALANCE,
  CREATE_CHARGE,
  CREATE_LINK,
  CREATE_PAYOUT,
  LIST_PAYOUTS,
  UPLOAD_BATCH,
  LIST_EVENTS,
  RESEND_EVENT,
  LISTEN,
  TRIGGER,
  TAIL_LOGS,
  RUN_CODE,
  VERIFY,
  BACKUP,
  RESTORE,
  DOCTOR,
  completionCommand(() => COMMANDS),
]
