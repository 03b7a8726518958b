// Clients that other generators make from the document, and what a generator must not lose: models and operations.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { DOCUMENT, TABLE } from './api-document.ts'

/** Names of the document's models. */
export const MODELS = Object.keys((DOCUMENT.components as { readonly schemas: object }).schemas)
export const OPERATIONS = TABLE.map(({ operationId }) => operationId)

export interface Generated {
  /** Folder of the generated files. */
  readonly folder: string
  remove(): void
}

/** Runs a generator with the document's path and an empty folder. Throws with what it printed when it fails. */
export function generate(
  words: (document: string, folder: string) => readonly [program: string, ...words: string[]],
  written: object = DOCUMENT,
): Generated {
  const root = mkdtempSync(join(tmpdir(), 'cauri-generated-'))
  const document = join(root, 'openapi.json')
  const folder = join(root, 'client')
  mkdirSync(folder)
  writeFileSync(document, JSON.stringify(written))
  const [program, ...rest] = words(document, folder)
  const { status, stdout, stderr, error } = spawnSync(program, rest, { cwd: root, encoding: 'utf8' })
  if (status !== 0) {
    rmSync(root, { recursive: true })
    throw new Error(`${program} failed: ${error?.message ?? ''}${stdout}${stderr}`)
  }
  return { folder, remove: () => rmSync(root, { recursive: true }) }
}

/** Returns false when the program is on the PATH, else why a test of it is skipped. */
export function programMissing(program: string): string | false {
  const isThere = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
  return isThere ? false : `${program} is not installed on this machine`
}

/** Paths of all files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
