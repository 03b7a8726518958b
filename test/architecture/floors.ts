// Who may import whom. Imports only go down; the table is that of ARCHITECTURE.md.
import type { Import, SourceFile, SourceTree } from './source-tree.ts'
import { isWithin, type Rule, type Violation } from './violation.ts'

interface Layer {
  readonly folder: string
  readonly floor: number
  /** Layers of the same floor that it may look into. */
  readonly neighbours?: readonly string[]
  /** Layers of a lower floor that it may not use. */
  readonly forbidden?: readonly string[]
  /** True: it imports nothing but itself. */
  readonly standsAlone?: true
}

/** The order matters only for reading: from the top down. */
const LAYERS: readonly Layer[] = [
  // Proofs use what tests use; only the runner names a proof.
  { folder: 'test/run.ts', floor: 11 },
  { folder: 'test/proof/', floor: 10 },
  // Tests check the arithmetic of the bench suite; no other layer imports it.
  { folder: 'test/', floor: 9, neighbours: ['bench/', 'http/client/', 'http/client/build/'] },
  { folder: 'bench/', floor: 9 },
  // The client is a package of its own; its build reads the document, and tests call it.
  { folder: 'http/client/build/', floor: 9, neighbours: ['http/client/'] },
  // The reader of payment files is the one part that the server shares with the client.
  { folder: 'http/client/src/payment-file/', floor: 0, standsAlone: true },
  { folder: 'http/client/', floor: 9, standsAlone: true, neighbours: ['http/client/src/payment-file/'] },
  { folder: 'http/', floor: 8 },
  // Log and sandbox stand behind two ports: each can be replaced without the other.
  { folder: 'wal/tools/', floor: 7, forbidden: ['sandbox-pool/'] },
  { folder: 'wal/folder/', floor: 6, forbidden: ['sandbox-pool/'] },
  { folder: 'wal/cluster/', floor: 6, forbidden: ['sandbox-pool/'] },
  { folder: 'wal/log/', floor: 5, forbidden: ['sandbox-pool/'] },
  { folder: 'wal/archive/', floor: 5, forbidden: ['sandbox-pool/'] },
  { folder: 'engine/api.ts', floor: 4, neighbours: ['engine/query/'] },
  { folder: 'engine/query/', floor: 4 },
  { folder: 'wal/', floor: 4 },
  { folder: 'sandbox-pool/', floor: 4 },
  { folder: 'engine/actor/', floor: 3 },
  { folder: 'engine/domain/', floor: 2 },
  { folder: 'engine/ledger/', floor: 1 },
  // Schemas speak of amounts and times; the kernel knows nothing of the API.
  { folder: 'engine/contract/', floor: 0, neighbours: ['engine/kernel/'] },
  { folder: 'engine/kernel/', floor: 0 },
]

export const FLOORS: Rule = {
  name: 'imports-go-down',
  reason:
    'A layer may use what is below it and never what is above or beside it, so that each can be understood and replaced from the bottom up.',
  check: (tree) => localImports(tree).flatMap(({ file, entry, target }) => floorViolation(file, entry, target)),
}

function floorViolation(file: SourceFile, entry: Import, target: string): Violation[] {
  const from = layerOf(file.path)
  const to = layerOf(target)
  const at = { file: file.path, line: entry.line }
  if (from === undefined) return [{ ...at, message: 'belongs to no layer' }]
  if (to === undefined) return [{ ...at, message: `imports ${target}, which belongs to no layer` }]
  const isAllowed = from.floor > to.floor && from.standsAlone !== true && from.forbidden?.includes(to.folder) !== true
  if (from === to || isAllowed || from.neighbours?.includes(to.folder) === true) return []
  return [{ ...at, message: `${from.folder} (floor ${from.floor}) imports ${target} of ${to.folder} (floor ${to.floor})` }]
}

function layerOf(path: string): Layer | undefined {
  return LAYERS.find(({ folder }) => isWithin(folder, path))
}

/** Files of a noun that other nouns may import besides its `<noun>-state.ts`. */
const SHARED_BY_NOUNS: readonly { file: string; reason: string }[] = [
  { file: 'engine/domain/operator/operator-decide.ts', reason: 'every operator command leaves the same audit event beside its own' },
  { file: 'engine/domain/operator/audit-subject.ts', reason: 'the audit trail names whom an action of any noun is about' },
  {
    file: 'engine/domain/funding/approval-request.ts',
    reason: 'every movement of an operator waits for a second operator in the same way',
  },
  { file: 'engine/domain/cash-request/approved-request.ts', reason: 'the approval of a movement does what the first operator asked for' },
  { file: 'engine/domain/merchant/new-merchant.ts', reason: 'a merchant begins the same way, made by an operator or signed up' },
  { file: 'engine/domain/merchant/key-allowance.ts', reason: 'every payout of a key counts towards its limits' },
  { file: 'engine/domain/merchant/payout-policy.ts', reason: 'all that pays or plans payouts asks one policy' },
  { file: 'engine/domain/webhook/merchant-event.ts', reason: 'a webhook event is written in the same record as the event that it reports' },
  { file: 'engine/domain/message/outgoing.ts', reason: 'a text message or e-mail is written in the same record as what causes it' },
  { file: 'engine/domain/payment-link/payment-link-payments.ts', reason: 'a payment counts on its link in its own record' },
  { file: 'engine/domain/payout/batch.ts', reason: 'a run of a schedule is a batch' },
  { file: 'engine/domain/disbursement/disbursement-run.ts', reason: 'a run of a schedule may be a disbursement' },
  { file: 'engine/domain/disbursement/disbursement-versions.ts', reason: 'a schedule may pay the lines of a disbursement' },
  { file: 'engine/domain/schedule/run-outcome.ts', reason: 'a run that is a disbursement ends in the record in which that ends' },
  { file: 'engine/domain/payout/batch-events.ts', reason: 'the turns of a disbursement are read as those of a batch' },
  { file: 'engine/domain/payout/payout-index-keys.ts', reason: 'whom a merchant has paid is in its payouts' },
  { file: 'engine/domain/recipient-check/recipient-checks.ts', reason: 'every look at a recipient for a merchant passes one door' },
  {
    file: 'engine/domain/rules/movement-rules.ts',
    reason: 'every movement of money passes the rules: a planned transaction comes from them alone',
  },
  { file: 'engine/domain/rules/fees.ts', reason: 'what a movement costs is shown before it is made, by the formula that takes it' },
  { file: 'engine/domain/rules/present-rules.ts', reason: 'a request for a change of rules says what the change would replace' },
  { file: 'engine/domain/rules/rule-change.ts', reason: 'the approval of a change of rules does what the first operator asked for' },
  { file: 'engine/domain/rules/rule-changed.ts', reason: 'the same' },
  { file: 'engine/domain/stream/stream-frames.ts', reason: "every movement of money puts the same frames on a wallet's stream" },
]

const NOUN = /^engine\/domain\/([^/]+)\/([^/]+)$/

export const NOUNS: Rule = {
  name: 'nouns-meet-in-state',
  reason:
    "A noun reads another noun's state and shares what stands in engine/domain/*.ts; its decisions and appliers are its own business, or one noun could not change without the others.",
  check: (tree) =>
    localImports(tree).flatMap(({ file, entry, target }) => {
      const from = NOUN.exec(file.path)
      const to = NOUN.exec(target)
      if (from === null || to === null || from[1] === to[1] || to[2] === `${to[1]}-state.ts`) return []
      if (SHARED_BY_NOUNS.some((shared) => shared.file === target)) return []
      return [
        {
          file: file.path,
          line: entry.line,
          message: `${from[1]} imports ${target}; of another noun only ${to[1]}-state.ts may be imported`,
        },
      ]
    }),
}

export const DECIDE_NEVER_EVOLVES: Rule = {
  name: 'decide-never-evolves',
  reason: 'A decision answers events and changes nothing; only then can a refused command leave no trace and a replay never decide again.',
  check: (tree) =>
    localImports(tree).flatMap(({ file, entry, target }) =>
      /^engine\/domain\/.*decide.*\.ts$/.test(file.path) && /evolve[^/]*\.ts$/.test(target) && entry.kind !== 'type'
        ? [{ file: file.path, line: entry.line, message: `a decision imports ${target}` }]
        : [],
    ),
}

export const NO_CYCLES: Rule = {
  name: 'no-import-cycle',
  reason: 'Files that import each other can only be read and loaded together. Types count: move what both need below both.',
  check: (tree) => {
    const violations: Violation[] = []
    const state = new Map<string, 'open' | 'done'>()
    const trail: string[] = []
    const visit = (path: string): void => {
      state.set(path, 'open')
      trail.push(path)
      for (const entry of tree.files.get(path)?.imports ?? []) {
        if (entry.target === null || entry.kind === 'path') continue
        if (state.get(entry.target) === 'open') {
          const cycle = [...trail.slice(trail.indexOf(entry.target)), entry.target]
          violations.push({ file: path, line: entry.line, message: cycle.join(' → ') })
        } else if (state.get(entry.target) === undefined) visit(entry.target)
      }
      trail.pop()
      state.set(path, 'done')
    }
    for (const path of tree.files.keys()) if (state.get(path) === undefined) visit(path)
    return violations
  },
}

export interface LocalImport {
  readonly file: SourceFile
  readonly entry: Import
  readonly target: string
}

export function localImports(tree: SourceTree): LocalImport[] {
  return [...tree.files.values()].flatMap((file) =>
    file.imports.flatMap((entry) => (entry.target === null ? [] : [{ file, entry, target: entry.target }])),
  )
}
