// One door to the engine: http/ reads and writes through engine/api.ts, and queries stand behind that file.
import { type LocalImport, localImports } from './floors.ts'
import { isWithin, type Rule, type Violation } from './violation.ts'

/** Programs that wire or measure the engine, and tests. */
const ABOVE = ['http/', 'bench/', 'test/']

/** What http/ may import of the engine. */
const OPEN = ['engine/api.ts', 'engine/contract/', 'engine/kernel/']

/** Puts engine, adapters and HTTP together. */
const COMPOSITION_ROOT = ['http/main.ts', 'http/app/']

export const ENGINE_DOOR: Rule = {
  name: 'one-door-to-the-engine',
  reason:
    'http/ may become a thread or a machine of its own: it sends commands and queries, which are plain data, through engine/api.ts. Log and sandbox implement ports and ask no queries.',
  check: (tree) => localImports(tree).flatMap((imported) => violation(imported)),
}

function violation({ file: { path }, entry: { line }, target }: LocalImport): Violation[] {
  const broken = (message: string): Violation[] => [{ file: path, line, message }]
  if (isWithin('engine/query/', target) && !/^(?:engine\/query\/|engine\/api\.ts$|test\/)/.test(path)) {
    return broken(`imports ${target}; queries are asked by name through engine/api.ts`)
  }
  if (target === 'engine/api.ts' && !isOneOf(ABOVE, path)) return broken('imports engine/api.ts, which is for http/ alone')
  if (!isWithin('http/', path) || !isWithin('engine/', target) || isOneOf(OPEN, target)) return []
  if (isOneOf(COMPOSITION_ROOT, path)) return []
  return broken(`imports ${target}; of the engine http/ may import ${OPEN.join(', ')}`)
}

function isOneOf(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isWithin(folder, path))
}
