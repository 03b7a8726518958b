// Who may import which package and which built-in module. Everything that is not in a table is refused.

import type { Import, SourceFile, SourceTree } from './source-tree.ts'
import { type Exception, isWithin, type Rule, type Violation } from './violation.ts'

interface Owner {
  readonly name: string
  /** File, folder (`wal/`) or beginning (`http/auth*`). */
  readonly within: string
  /** `one`: a single file of the place; `many`: any of them. */
  readonly importers: 'one' | 'many'
  readonly reason: string
}

/** Every package that runs in production. Tests and benches may import anything. */
export const PACKAGE_OWNERS: readonly Owner[] = [
  {
    name: '@sinclair/typebox',
    within: 'engine/contract/',
    importers: 'many',
    reason: 'one schema per shape: type, validation and OpenAPI',
  },
  {
    name: '@orama/stemmers',
    within: 'http/pages/docs/',
    importers: 'one',
    reason: 'the search of the documents finds words by their stem',
  },
  { name: '@orama/stopwords', within: 'http/pages/docs/', importers: 'one', reason: 'words that a search of the documents leaves out' },
  { name: 'buffer', within: 'sandbox-pool/guest/', importers: 'one', reason: "Node's Buffer in hosted code" },
  { name: 'esbuild', within: 'sandbox-pool/', importers: 'one', reason: 'JavaScript for a process that has no TypeScript loader' },
  { name: 'ipaddr.js', within: 'http/outbound*', importers: 'one', reason: 'which addresses are public' },
  { name: 'jose', within: 'http/auth*', importers: 'many', reason: 'tokens' },
  { name: 'lmdb', within: 'wal/', importers: 'many', reason: 'log, archive, and the tools that read their folders' },
  { name: 'marked', within: 'http/pages/docs/', importers: 'one', reason: 'the public documents are written in Markdown' },
  { name: 'minisearch', within: 'http/pages/docs/', importers: 'one', reason: 'the search of the documents' },
  {
    name: 'papaparse',
    within: 'http/client/src/payment-file/',
    importers: 'one',
    reason: 'rows of payment files, in server, command line and SDK',
  },
  { name: 'pg', within: 'wal/log/postgres-*', importers: 'many', reason: 'the replicated log' },
  { name: 'pino', within: 'http/', importers: 'one', reason: 'logs leave through one place that redacts' },
  { name: 'piscina', within: 'sandbox-pool/', importers: 'one', reason: 'the pool of worker threads' },
  { name: 'prom-client', within: 'http/', importers: 'one', reason: 'metrics' },
  { name: 'qrcode', within: 'http/', importers: 'one', reason: 'the picture of a checkout code' },
  {
    name: 'quickjs-wasi',
    within: 'sandbox-pool/',
    importers: 'many',
    reason: 'the virtual machine of hosted code, and the one that it copies',
  },
  { name: 're2js', within: 'engine/domain/', importers: 'one', reason: "merchants' patterns, in linear time" },
  { name: 'tsx', within: 'engine/kernel/script-entry.ts', importers: 'one', reason: 'runs the TypeScript of a thread or a child process' },
  { name: 'undici', within: 'http/outbound*', importers: 'many', reason: 'every outgoing call passes the same address rules' },
  { name: 'uWebSockets.js', within: 'http/server/native.ts', importers: 'one', reason: 'the one place that loads it, with its maxima' },
  {
    name: 'web-streams-polyfill',
    within: 'sandbox-pool/guest/',
    importers: 'one',
    reason: 'ReadableStream and its relatives in hosted code',
  },
  { name: 'yaml', within: 'http/', importers: 'one', reason: '/openapi.yaml' },
]

/** Imports of a package outside its place. */
const PACKAGE_EXCEPTIONS: readonly (Exception & { readonly name: string })[] = [
  { name: '@sinclair/typebox', file: 'http/server/body/lazy-check.ts', reason: 'compiles the schemas of the contract to checks' },
  { name: '@sinclair/typebox', file: 'http/server/body/validation.ts', reason: 'names the field that breaks a schema' },
  { name: '@sinclair/typebox', file: 'http/server/body/schema-reason.ts', reason: 'reasons for the errors of those checks' },
  { name: 'esbuild', file: 'http/app/dist.ts', reason: 'bundles the programs into dist/' },
]

/** Packages of development that a build may import, and the client in programs of merchants: neither runs on a server. */
const BUILD_PACKAGES: readonly { readonly within: string; readonly names: readonly string[] }[] = [
  { within: 'http/client/samples/', names: ['@cauri/node'] },
  { within: 'http/client/build/', names: ['esbuild', 'openapi-typescript', 'typescript'] },
]

/** Built-in modules that touch more than memory. Those that only compute may be used in any folder but the engine. */
const BUILTIN_OWNERS: readonly { readonly names: readonly string[]; readonly within: readonly string[]; readonly reason: string }[] = [
  {
    names: ['node:net', 'node:http', 'node:https', 'node:http2', 'node:tls', 'node:dns', 'node:dns/promises', 'node:dgram'],
    within: ['http/outbound*', 'http/client/samples/'],
    reason: 'every outgoing call passes the same address rules; samples are servers of merchants',
  },
  {
    names: ['node:child_process'],
    within: ['wal/', 'sandbox-pool/', 'http/client/src/cli/'],
    reason: 'the check of a folder, hosted code and the tools of a server run in processes of their own',
  },
  {
    names: ['node:worker_threads'],
    within: ['wal/', 'sandbox-pool/', 'http/crypto/', 'http/server/threads/', 'http/api/disbursements/lines/'],
    reason: 'the archive, hosted code, slow hashes, HTTP and the lines of large disbursements have threads',
  },
  { names: ['node:fs', 'node:fs/promises'], within: ['wal/', 'sandbox-pool/', 'http/'], reason: 'the engine has no files' },
  { names: ['node:vm', 'node:cluster', 'node:inspector'], within: [], reason: 'node:vm is no sandbox, and one process owns the ledger' },
]

const COMPUTING_BUILTINS = [
  'node:assert',
  'node:buffer',
  'node:crypto',
  'node:diagnostics_channel',
  'node:events',
  'node:module',
  'node:os',
  'node:path',
  'node:perf_hooks',
  'node:process',
  'node:querystring',
  'node:stream',
  'node:string_decoder',
  'node:timers',
  'node:timers/promises',
  'node:url',
  'node:util',
  'node:v8',
  'node:zlib',
]

/** What a guarded module has that touches nothing. */
const HARMLESS_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['node:http', ['STATUS_CODES']],
  ['node:net', ['isIP', 'isIPv4', 'isIPv6']],
])

export const PACKAGES: Rule = {
  name: 'one-owner-per-package',
  reason: 'A package that one place knows can be replaced, wrapped and watched in that place.',
  check: (tree) => [
    ...productionImports(tree).flatMap(({ file, entry }) => packageViolation(file, entry)),
    ...PACKAGE_OWNERS.filter(({ importers }) => importers === 'one').flatMap((owner) => crowded(tree, owner)),
  ],
}

function packageViolation(file: SourceFile, entry: Import): Violation[] {
  const name = packageName(entry.specifier)
  if (name === null) return []
  if (BUILD_PACKAGES.some(({ within, names }) => isWithin(within, file.path) && names.includes(name))) return []
  const at = { file: file.path, line: entry.line }
  const owner = PACKAGE_OWNERS.find((candidate) => candidate.name === name)
  if (owner === undefined) return [{ ...at, message: `${name} is in no row of the table of packages` }]
  if (isWithin(owner.within, file.path)) return []
  if (PACKAGE_EXCEPTIONS.some((exception) => exception.name === name && exception.file === file.path)) return []
  return [{ ...at, message: `${name} belongs to ${owner.within} (${owner.reason})` }]
}

function crowded(tree: SourceTree, owner: Owner): Violation[] {
  const importers = productionImports(tree).filter(
    ({ file, entry }) => packageName(entry.specifier) === owner.name && isWithin(owner.within, file.path),
  )
  const files = new Set(importers.map(({ file }) => file.path))
  if (files.size <= 1) return []
  return importers.map(({ file, entry }) => ({
    file: file.path,
    line: entry.line,
    message: `${owner.name} has ${files.size} importers, it may have one`,
  }))
}

/** Programs of merchants, which also run where Node.js does not: on workers. */
const CLIENT_SOURCES = 'http/client/src/'
const CLIENT_COMMANDS = 'http/client/src/cli/'

export const BUILTINS: Rule = {
  name: 'built-in-modules',
  reason: 'Files, processes, threads and the network are touched in few places, each of which is written with its failures in mind.',
  check: (tree) =>
    productionImports(tree).flatMap(({ file, entry }) => {
      if (packageName(entry.specifier) !== null || entry.kind === 'type') return []
      const at = { file: file.path, line: entry.line }
      if (isWithin(CLIENT_SOURCES, file.path) && !isWithin(CLIENT_COMMANDS, file.path))
        return [{ ...at, message: `${entry.specifier} is not there on workers, where the client runs too` }]
      if (isHarmless(entry)) return []
      if (!entry.specifier.startsWith('node:')) return [{ ...at, message: `${entry.specifier} is written without node:` }]
      const owner = BUILTIN_OWNERS.find(({ names }) => names.includes(entry.specifier))
      if (owner === undefined) {
        return COMPUTING_BUILTINS.includes(entry.specifier)
          ? []
          : [{ ...at, message: `${entry.specifier} is in no row of the table of modules` }]
      }
      if (owner.within.some((place) => isWithin(place, file.path))) return []
      return [{ ...at, message: `${entry.specifier} belongs to ${owner.within.join(', ') || 'nobody'} (${owner.reason})` }]
    }),
}

function isHarmless({ specifier, names }: Import): boolean {
  const harmless = HARMLESS_NAMES.get(specifier)
  return harmless !== undefined && names.length > 0 && names.every((name) => harmless.includes(name))
}

function productionImports(tree: SourceTree): { file: SourceFile; entry: Import }[] {
  return [...tree.files.values()]
    .filter(({ path }) => !path.startsWith('test/') && !path.startsWith('bench/'))
    .flatMap((file) => file.imports.filter(({ target }) => target === null).map((entry) => ({ file, entry })))
}

const BARE_BUILTINS = new Set([
  'fs',
  'path',
  'crypto',
  'http',
  'https',
  'net',
  'os',
  'util',
  'events',
  'url',
  'zlib',
  'worker_threads',
  'child_process',
])

/** `@scope/name` or `name` without the path inside it; null for a built-in module. */
function packageName(specifier: string): string | null {
  if (specifier.startsWith('node:') || BARE_BUILTINS.has(specifier)) return null
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}
