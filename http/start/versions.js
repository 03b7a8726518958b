// @ts-check
// Compiled forms on disk, one folder for each state of the sources: found, or made under another name and renamed, so that it
// is whole or not there, however many start at once. It removes those that nobody runs any more, and never one that somebody does.
import { randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { compile, compiledPath } from './compile.js'
import { hashSources, isProduction, productionPrograms, ROOT } from './sources.js'

const CACHE = join(ROOT, 'node_modules', '.cache', 'cauri')
const TEMPORARY_CACHE = join(tmpdir(), `cauri-${process.getuid?.() ?? 'cache'}`)
/** Written last: name and size of each file of a version. */
const CONTENTS = 'contents.json'
/** Files named after the processes that run a version. */
const USERS = 'users'
/** A process in a container that shares the folder cannot be seen: what was started this recently stays in any case. */
const UNUSED_MS = 3_600_000
const ATTEMPTS_MAX = 5
const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOSPC', 'EDQUOT'])

/** What stands in the way of a start; the message says what to do. */
export class StartFailure extends Error {
  /** @override */
  name = 'StartFailure'
}

/**
 * Answers where the compiled form of each entry is. Throws StartFailure when the sources do not compile, or there is no place for it.
 * @param {readonly string[]} wanted TypeScript files, as paths from the root
 * @returns {Promise<(entry: string) => string>}
 */
export async function compiledForm(wanted) {
  const [first = ''] = wanted
  const programs = productionPrograms()
  const entries = wanted.length === 1 && programs.includes(first) ? programs : wanted
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const folder = await findOrMake(entries)
    if (folder !== null && announce(folder)) return (entry) => compiledPath(folder, entry)
  }
  throw new StartFailure('The sources change faster than they compile.')
}

/**
 * Null when they changed meanwhile.
 * @param {readonly string[]} entries
 */
async function findOrMake(entries) {
  const name = nameOf(entries)
  const caches = [CACHE, ...(isOwn(TEMPORARY_CACHE) ? [TEMPORARY_CACHE] : [])]
  const found = caches.map((cache) => join(cache, name)).find(isWhole)
  if (found !== undefined) return found
  const cache = openCache()
  const files = await compileOrSay(entries, join(cache, name))
  // A source that was saved meanwhile may be in it, or not.
  return nameOf(entries) === name ? keep(cache, name, files) : null
}

/** @param {readonly string[]} entries */
function nameOf(entries) {
  return hashSources(entries).slice(0, 32)
}

/** @param {string} folder */
function isWhole(folder) {
  try {
    /** @type {Record<string, number>} */
    const sizes = JSON.parse(readFileSync(join(folder, CONTENTS), 'utf8'))
    return Object.entries(sizes).every(([path, size]) => statSync(join(folder, path)).size === size)
  } catch {
    // Never made, or a cleaner of old files was here: it is made anew.
    return false
  }
}

/**
 * @param {string} cache
 * @param {string} name
 * @param {import('./compile.js').CompiledFiles} files
 */
function keep(cache, name, files) {
  const folder = join(cache, name)
  const unfinished = join(cache, `new-${randomUUID()}`)
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(unfinished, path)), { recursive: true })
      writeFileSync(join(unfinished, path), content)
    }
    mkdirSync(join(unfinished, USERS))
    // Packages are found from here as from the root, wherever here is.
    symlinkSync(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'))
    writeFileSync(join(unfinished, CONTENTS), JSON.stringify(Object.fromEntries(Array.from(files, ([path, { length }]) => [path, length]))))
    put(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new StartFailure(`The compiled form cannot be written to ${cache}: ${messageOf(error)}`)
  }
  sweep(cache, folder)
  return folder
}

/**
 * Somebody else may have been quicker: theirs is the same.
 * @param {string} unfinished
 * @param {string} folder
 */
function put(unfinished, folder) {
  for (;;) {
    try {
      renameSync(unfinished, folder)
      return
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
      if (isWhole(folder)) {
        rmSync(unfinished, { recursive: true, force: true })
        return
      }
      moveAway(folder, `${unfinished}-damaged`)
    }
  }
}

/**
 * @param {string} folder
 * @param {string} target
 */
function moveAway(folder, target) {
  try {
    renameSync(folder, target)
  } catch (error) {
    // Somebody else has moved it.
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/**
 * @param {readonly string[]} entries
 * @param {string} folder
 */
async function compileOrSay(entries, folder) {
  try {
    return await compile({ root: ROOT, entries, folder, isShared: !entries.every(isProduction) })
  } catch (error) {
    const { errors } = /** @type {Partial<import('esbuild').BuildFailure>} */ (error)
    if (errors === undefined) throw new StartFailure(`The compiler cannot be started: ${messageOf(error)}\nInstall the packages: npm ci`)
    const { formatMessages, stop } = await import('esbuild')
    const texts = await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY === true })
    await stop()
    throw new StartFailure(`The sources do not compile.\n\n${texts.join('\n').trimEnd()}`)
  }
}

/** Beside the packages, or where that cannot be written, in the system's folder for temporary files. */
function openCache() {
  try {
    mkdirSync(CACHE, { recursive: true })
    // Whether it can be written is known once something was.
    const probe = join(CACHE, `new-${randomUUID()}`)
    mkdirSync(probe)
    rmSync(probe, { recursive: true })
    // Source maps are relative, and read where the files really are.
    return realpathSync(CACHE)
  } catch (error) {
    if (!NOT_WRITABLE.has(codeOf(error))) throw error
    try {
      mkdirSync(TEMPORARY_CACHE, { recursive: true, mode: 0o700 })
    } catch (second) {
      throw new StartFailure(`There is no place for the compiled form: ${messageOf(error)}; ${messageOf(second)}\n${REMEDY}`)
    }
    if (!isOwn(TEMPORARY_CACHE)) throw new StartFailure(`${TEMPORARY_CACHE} is not ours alone to write to: remove it.\n${REMEDY}`)
    process.stderr.write(
      `${CACHE} cannot be written (${codeOf(error)}): compiled into ${TEMPORARY_CACHE}, which may not last.\n${REMEDY}\n`,
    )
    return realpathSync(TEMPORARY_CACHE)
  }
}

const REMEDY = 'Run `node http/start.js --compile http/main.ts` once where the folder can be written, for instance when the image is built.'

/**
 * Whether nobody else can put code into the folder, which stands among those of others.
 * @param {string} cache
 */
function isOwn(cache) {
  const stats = lstatSync(cache, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) return false
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0)
}

/**
 * Leaves word that this process runs the version, for as long as it does. False when it was removed a moment ago.
 * @param {string} folder
 */
function announce(folder) {
  const file = join(folder, USERS, String(process.pid))
  try {
    writeFileSync(file, '')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    // Where nothing can be written nothing is removed either.
    if (NOT_WRITABLE.has(codeOf(error))) return true
    throw error
  }
  process.once('exit', () => rmSync(file, { force: true }))
  return true
}

/**
 * @param {string} cache
 * @param {string} current
 */
function sweep(cache, current) {
  const nowMs = Date.now()
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    if (folder === current || isInUse(folder, nowMs)) continue
    // Out of the way first: nobody may find half of it.
    const removed = join(cache, `new-${randomUUID()}`)
    try {
      renameSync(folder, removed)
      rmSync(removed, { recursive: true, force: true })
    } catch {
      // Another process sweeps too, or it is not ours to remove: a start never fails for it.
    }
  }
}

/**
 * @param {string} folder
 * @param {number} nowMs
 */
function isInUse(folder, nowMs) {
  const users = join(folder, USERS)
  const { mtimeMs } = statSync(users, { throwIfNoEntry: false }) ?? statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: nowMs }
  if (nowMs - mtimeMs < UNUSED_MS) return true
  try {
    return readdirSync(users).some((pid) => isAlive(Number(pid)))
  } catch {
    // What a start left unfinished has no users.
    return false
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function codeOf(error) {
  return String(/** @type {{ code?: unknown } | null} */ (error)?.code ?? '')
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}
