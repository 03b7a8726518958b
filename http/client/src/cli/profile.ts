// Profiles of `cauri login`: address and keys in one file that only its owner may read. The environment comes before it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CredentialsError } from './command-errors.ts'

export interface Profile {
  readonly url: string
  readonly publicKey: string
  readonly secretKey: string
}

export type Environment = Readonly<Record<string, string | undefined>>

export const DEFAULT_URL = 'http://127.0.0.1:8080'
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/

/** Returns the path of the file: CAURI_CONFIG, or below XDG_CONFIG_HOME or the home folder. */
export function configPath(env: Environment): string {
  if (env.CAURI_CONFIG !== undefined && env.CAURI_CONFIG !== '') return env.CAURI_CONFIG
  const base = env.XDG_CONFIG_HOME ?? join(env.HOME ?? env.USERPROFILE ?? '.', '.config')
  return join(base, 'cauri', 'profiles.json')
}

/**
 * Returns the address and keys that a command uses: those of the profile that `--profile` names, else those of `CAURI_API_KEY` and
 * `CAURI_API_SECRET`, else those of the profile `default`. Throws a CredentialsError without any.
 */
export function readProfile(env: Environment, { name, url }: { readonly name?: string; readonly url?: string }): Profile {
  const { CAURI_API_KEY: publicKey = '', CAURI_API_SECRET: secretKey = '', CAURI_URL } = env
  if (name === undefined && (publicKey !== '' || secretKey !== '')) {
    if (publicKey === '') throw new CredentialsError('CAURI_API_SECRET is set, and CAURI_API_KEY is not')
    if (secretKey === '') throw new CredentialsError('CAURI_API_KEY is set, and CAURI_API_SECRET is not')
    return { url: url ?? CAURI_URL ?? DEFAULT_URL, publicKey, secretKey }
  }
  const profiles = readProfiles(env)
  const wanted = name ?? 'default'
  const stored = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (stored === undefined) {
    throw new CredentialsError(`there is no profile "${wanted}": run cauri login, or set CAURI_API_KEY and CAURI_API_SECRET`)
  }
  // Keys of a named profile are sent to its own address.
  return { ...stored, url: url ?? (name === undefined ? CAURI_URL : undefined) ?? stored.url }
}

/** Writes the profile, with mode 0600. The file is replaced as a whole. */
export function saveProfile(env: Environment, name: string, profile: Profile): string {
  if (!NAME.test(name)) throw new CredentialsError('a profile is named by lower-case letters, digits and dashes, 32 at most')
  const path = configPath(env)
  const profiles = { ...readProfiles(env), [name]: profile }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.new-${process.pid}`
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, path)
  return path
}

function readProfiles(env: Environment): Readonly<Record<string, Profile>> {
  const path = configPath(env)
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Profile>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new CredentialsError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
