// @ts-check
// The sources that a compiled form is made of, and the one text that tells whether they are still the same: a hash of their
// contents. Reading five hundred files takes 11 ms; times of files would be quicker to ask, and wrong in an image or after a restore.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const PRODUCTION = ['engine', 'http', 'sandbox-pool', 'wal']
const ROOF = ['bench', 'test']

/** What compiling depends on beside the sources: options, and the packages as they are installed. */
const SETTINGS = ['package.json', 'tsconfig.json', 'package-lock.json', 'node_modules/.package-lock.json']

/**
 * Whether a program runs in production, where `bench` and `test` are not there.
 * @param {string} entry path from the root
 */
export function isProduction(entry) {
  return PRODUCTION.some((room) => entry.startsWith(`${room}/`))
}

/**
 * The programs of package.json that run in production: they are compiled together, so that a folder that was compiled once
 * has them all.
 * @returns {string[]}
 */
export function productionPrograms() {
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const words = Object.values(scripts).flatMap((command) => command.split(' '))
  return words.filter((word) => word.endsWith('.ts') && isProduction(word))
}

/**
 * Changes with every source that the entries may reach, with where the sources are, and with nothing else.
 * @param {readonly string[]} entries
 */
export function hashSources(entries) {
  const rooms = entries.every(isProduction) ? PRODUCTION : [...PRODUCTION, ...ROOF]
  const hash = createHash('sha256').update(JSON.stringify([ROOT, entries]))
  const paths = [...SETTINGS.filter((path) => existsSync(join(ROOT, path))), ...rooms.flatMap(sourcesBelow)]
  for (const path of paths) {
    const content = readFileSync(join(ROOT, path))
    hash.update(`\n${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  // An image has no benches and no tests.
  if (!existsSync(join(ROOT, folder))) return []
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourcesBelow(path)
    return /\.[jt]s$/.test(path) ? [path] : []
  })
}
