// The served document as a value. Reading 800 KB of YAML takes half a second of processor time, and a hundred test files open
// a server each whose document differs in its address alone: the first one reads it, the others take what it read.
import { hash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'

const KEPT = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'cauri-document.json')
/** Stands for the address; nobody listens there. */
const NOWHERE = 'http://address.invalid'

export function parsedDocument(yaml: string, baseUrl: string): JsonObject {
  const text = yaml.replaceAll(baseUrl, NOWHERE)
  const textHash = hash('sha256', text, 'hex')
  const json = readKept(textHash) ?? keep(textHash, JSON.stringify(parse(text)))
  return JSON.parse(json.replaceAll(NOWHERE, baseUrl)) as JsonObject
}

/** A hash, a line's end, and the document. */
function readKept(textHash: string): string | null {
  if (!existsSync(KEPT)) return null
  const kept = readFileSync(KEPT, 'utf8')
  return kept.startsWith(`${textHash}\n`) ? kept.slice(textHash.length + 1) : null
}

function keep(textHash: string, json: string): string {
  mkdirSync(dirname(KEPT), { recursive: true })
  const unfinished = `${KEPT}.${randomUUID()}`
  writeFileSync(unfinished, `${textHash}\n${json}`)
  renameSync(unfinished, KEPT)
  return json
}
