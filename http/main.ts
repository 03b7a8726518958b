// The program of `npm start`: reads the settings, starts the server, and ends with an exit code when that fails.
import { ArchiveError } from '../wal/archive/lmdb-archive.ts'
import { DataFolderError } from '../wal/folder/folder-error.ts'
import { LogError } from '../wal/log/log-error.ts'
import { lowerThreadsOfV8 } from '../wal/thread-priority.ts'
import { createLogger } from './app/logging.ts'
import { MasterKeyError } from './app/master-key.ts'
import { stopWithParent } from './app/parent-watch.ts'
import { settingWarnings } from './app/setting-warnings.ts'
import { readSettings } from './app/settings.ts'
import { type SignalStop, stopOnSignals } from './app/shutdown.ts'
import { StartError, startServer } from './app/start-server.ts'
import { packageVersion } from './app/version.ts'

/** Errors whose messages name the remedy. */
const REMEDY_NAMERS = [DataFolderError, MasterKeyError, StartError, LogError, ArchiveError] as const

/** Runs `npm start`. Exit codes: 0 a clean stop, 1 a failed start or run, 2 invalid settings. */
function run(): void {
  lowerThreadsOfV8()
  const settings = readSettings(process.env)
  if (!('mode' in settings)) {
    for (const { variable, expected } of settings) process.stderr.write(`${variable} ${expected}.\n`)
    process.exitCode = 2
    return
  }
  const logger = createLogger(settings.logLevel)
  for (const { variable, text } of settingWarnings(settings)) logger.warn({ variable }, text)
  let stop: SignalStop | null = null
  let hasStarted = false
  const onFatal = (error: Error): void => {
    if (stop?.ends(error) === true) return
    logger.fatal(fatalDetails(error), error.message)
    process.exit(1)
  }
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', (reason) => onFatal(reason instanceof Error ? reason : new Error(String(reason))))
  const starting = startServer({
    ...{ settings, logger, onFatal },
    onUnfit: (reason) => stop?.begin(reason),
    // To stderr, because logs are stored and forwarded, and the text holds a secret key.
    showDemo: (text) => void process.stderr.write(text),
  })
  const isHarmless = (error: unknown): boolean => !hasStarted || error instanceof ArchiveError
  stop = stopOnSignals({ close: async () => (await starting).close(), logger, exit: (code) => process.exit(code), isHarmless })
  if (settings.isNpmScript) stopWithParent(logger)
  starting.then(({ port, url, warm }) => {
    hasStarted = true
    logger.info({ host: settings.host, port, url, version: packageVersion(), mode: settings.mode }, 'listening')
    // The layers of isolation that hold here are logged before a customer needs one. In development, code that runs starts the child.
    if (settings.mode === 'production') warm()
  }, onFatal)
}

/**
 * Returns the log fields of an error. An error that names its remedy needs no stack; any other is a bug or a broken
 * machine.
 */
function fatalDetails(error: Error): object {
  const { code } = error as { code?: unknown }
  const namesRemedy = REMEDY_NAMERS.some((named) => error instanceof named)
  return { code: code ?? error.name, ...(namesRemedy ? {} : { err: error }) }
}

run()
