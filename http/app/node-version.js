// @ts-check
// The Node.js versions that can run the server, from `engines` of package.json. `node --import` loads it before the program:
// the packages fail on other versions with a stack. Only syntax and modules that old versions know may be used here.
import { readFileSync } from 'node:fs'
import process from 'node:process'

const RANGE = /^\^(\d+)\.(\d+)\.(\d+)$/

/** Ends the process with a sentence and exit code 1 on a version that cannot run the server. */
function refuseOtherVersions() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const refusal = versionRefusal(process.versions.node, engines === undefined ? '' : engines.node)
  if (refusal === null) return
  process.stderr.write(`${refusal}\n`)
  process.exit(1)
}

/**
 * Null for a version that can run the server.
 * @param {string} version
 * @param {string} ranges as in `engines`: caret ranges with `||` between them; empty allows every version
 * @returns {string | null}
 */
export function versionRefusal(version, ranges) {
  if (ranges === '') return null
  const own = version.split('.').map(Number)
  const allowed = ranges.split('||').map(oldestOf)
  if (allowed.some((oldest) => isWithin(own, oldest))) return null
  const names = allowed.map(([major, minor]) => (minor === 0 ? `${major}` : `${major} (${major}.${minor} or newer)`))
  return `Node.js ${version} cannot run this server: use Node.js ${names.join(' or ')}.`
}

/** @param {string} range */
function oldestOf(range) {
  const parts = RANGE.exec(range.trim())
  if (parts === null) throw new Error(`engines.node of package.json: ${range.trim()} is no caret range of three numbers`)
  return parts.slice(1).map(Number)
}

/**
 * @param {number[]} own
 * @param {number[]} oldest
 */
function isWithin(own, oldest) {
  if (own[0] !== oldest[0]) return false
  return own[1] === oldest[1] ? Number(own[2]) >= Number(oldest[2]) : Number(own[1]) > Number(oldest[1])
}

refuseOtherVersions()
