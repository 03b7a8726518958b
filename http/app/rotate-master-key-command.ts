// `npm run rotate-master-key`: puts a new master key in force for a stopped server or cluster.
import { LogError } from '../../wal/log/log-error.ts'
import { runCommand } from '../../wal/tools/command.ts'
import { placeText, readPlace } from '../../wal/tools/log-place.ts'
import { isGuessable, masterKeyFrom } from '../crypto/key-ring.ts'
import { rotateMasterKey } from './rotate-master-key.ts'

const USAGE = `MASTER_KEY=<key in force> NEW_MASTER_KEY=<new key> npm run rotate-master-key -- <data folder or postgres://…>

Puts a new master key in force. Stop the server, or all nodes, first. Store the new key safely before: without it no secret of the log can
be opened, and no command brings it back. Then start with MASTER_KEY=<new key>. A data folder that keeps its key in master.key takes
neither variable: it gets a new key in the same file.

What is sealed afterwards is sealed under a new random key, which the new master key protects. The log is append-only, so secrets from
before stay sealed under the keys of their time; the key ring beside the log (master.check, or cauri.identity in PostgreSQL) holds those,
sealed under the new master key. If the old key is known to others, also replace the secrets from before: see the page of operation.

Keep the old key as long as backups from before the rotation. A rotation ends sessions of operators, remembered browsers, tokens of
wallets and open codes; people sign in again. After an interruption the same command finishes.

WAL_POSTGRES_UNSAFE=true accepts a database without a synchronous standby, as it does for a server.

Exit code 0 when the new key is in force, else 1; then the old one is.`

await runCommand({
  usage: USAGE,
  takes: 1,
  run: async ([arg = '']) => {
    const place = readPlace(arg)
    const { env } = process
    const isRotated = await rotateMasterKey({
      place,
      from: keyOf('MASTER_KEY', env.MASTER_KEY),
      to: newKeyOf(env.NEW_MASTER_KEY),
      allowsUnsafe: env.WAL_POSTGRES_UNSAFE === 'true',
      onWarning: (message) => process.stderr.write(`${message}\n`),
    })
    process.stdout.write(`${isRotated ? 'rotated ' : 'rotated before: '}the new master key is in force for ${placeText(place)}\n`)
    return true
  },
})

/** Messages never contain the value. */
function keyOf(name: string, text = ''): Buffer | null {
  if (text === '') return null
  const key = masterKeyFrom(text)
  if (key === null) throw new LogError('wrong_key', `${name} must be 32 random bytes in base64 (openssl rand -base64 32).`)
  return key
}

function newKeyOf(text: string | undefined): Buffer | null {
  const key = keyOf('NEW_MASTER_KEY', text)
  if (key !== null && isGuessable(key)) throw new LogError('wrong_key', 'NEW_MASTER_KEY must not be guessable: openssl rand -base64 32.')
  return key
}
