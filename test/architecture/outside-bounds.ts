// Rings, queues and caches outside the engine: each collection that lives in a class of http/ or sandbox-pool/ is declared here, with the
// share of one caller, or with what bounds it when callers do not fill it. Tables of the engine have quotas (engine/kernel/quota.ts).
import ts from 'typescript'
import { lineOf, type SourceFile, type SourceTree } from './source-tree.ts'
import type { Rule, Violation } from './violation.ts'

/** `file#member` of collections that callers fill: their maximum and the share of one caller. `quota NAME` begins a row of a Quota. */
const SHARES: Readonly<Record<string, string>> = {
  'http/api/disbursements/disbursement-intake.ts#waiting': 'quota disbursement_lines: each request under way holds a line or more of it',
  'http/api/directory/quotes.ts#underWay': 'quota wallet_lookups: one entry of each lookup under way with a key',
  'http/api/stream/wallet-hub.ts#byAccount': 'streams: 8 a wallet, the oldest ends',
  'http/api/stream/merchant-hub.ts#byAccount': 'streams: 16 an account, the oldest ends',
  'http/api/stream/merchant-hub.ts#following': 'one entry of each stream above',
  'http/api/stream/signed-tickets.ts#asked': 'quota stream_tickets: a key beyond it is not remembered',
  'http/api/stream/tickets.ts#rows': 'quota stream_tickets: the wallet’s oldest gives way; each ends after a minute',
  'http/api/stream/tickets.ts#byAccount': 'quota stream_tickets: the same tickets by wallet',
  'http/auth/dashboard/known-addresses.ts#pairs': 'right passwords alone; a forgotten address takes the turn of its network',
  'http/auth/dashboard/running-guesses.ts#byKey': 'guesses under way: FairQueue by network, or by account where it is known',
  'http/auth/keys/api-keys.ts#known': 'a cache of keys that exist, 100 a merchant: a dropped one is read again',
  'http/auth/keys/api-keys.ts#used': 'keys of the cache above that were used since the last note',
  'http/auth/wallet/access-tokens.ts#known': 'a cache: a dropped token is verified again',
  'http/auth/wallet/pin-check.ts#guesses': 'checks under way: FairQueue by network',
  'http/crypto/fair-queue.ts#providers': 'FairQueue: the busiest site of the busiest provider gives way',
  'http/crypto/fair-queue.ts#uses': 'recent use of each network; a forgotten one goes first again',
  'http/pages/dashboard/overview/day-totals.ts#days': 'a cache: a dropped day is read again',
  'http/pages/dashboard/overview/day-totals.ts#underWay': 'TOTALS_PER_ACCOUNT_MAX of an account',
  'http/pages/dashboard/bills/product-names.ts#products': 'the products of one biller, for one page: PRODUCTS_MAX',
  'http/pages/dashboard/shared/row-reader.ts#running': 'so many of an account at once',
  'http/pages/dashboard/lists/list-totals.ts#groups': 'the states of one list',
  'http/pages/dashboard/lists/list-totals.ts#kept': 'one of an account, EXACT_TOTALS_KEPT_MAX in all: a dropped total begins again',
  'http/pages/dashboard/pay-out/disbursement-check.ts#texts': 'the lines of one disbursement, for one page',
  'http/server/call-limit.ts#windows': 'one window of each key; a dropped one allows more, never less',
  'http/server/large-body-pauses.ts#endsMs': 'one pause of each account; a dropped one ends early',
  'http/server/network-limit.ts#buckets': 'networks: a full table drops the one seen longest ago, and refuses none',
  'http/server/rate-limit.ts#buckets': 'one bucket of each account; a full one is dropped',
  'http/server/request-log.ts#kept':
    'LOGGED_REQUESTS_PER_MERCHANT; the merchant that was quiet longest gives way, and reads less of its log',
  'http/api/disbursements/lines/lines-thread.ts#turns': 'one body of each request, which connections bound; taken by the turns of accounts',
  'http/server/fair-work.ts#ends': 'one entry of each owner with a request that is read in steps, while it is',
  'http/server/fair-work.ts#turns': 'one piece of each request, which connections bound; taken by the turns of accounts and addresses',
  'http/server/threads/answer-queue.ts#turns': 'answers that wait: ANSWERS_WAITING_OWNER_BYTES_MAX of an account or address',
  'http/server/threads/answer-queue.ts#waitingBytes': 'one entry of each owner of the answers above',
  'http/workers/call-queue.ts#timers': 'open deliveries (quota open_deliveries) and open messages',
  'http/workers/call-queue.ts#busy': 'the same that are due',
  'http/workers/call-queue.ts#active': 'calls under way: OWNER_SHARE of the slots of an owner',
  'http/workers/fulfillment/fulfillment-turns.ts#queues': 'open fulfillments (quota fulfillments); turns perAccountMax of an account',
  'http/workers/fulfillment/fulfillment-turns.ts#ring': 'accounts with a queue above',
  'http/workers/lookups/admission.ts#byOwner': 'Admission: a fraction of the free slots of an owner',
  'http/workers/webhooks/attempt-turns.ts#recent': 'AT_ONCE_MAX accounts',
  'http/workers/webhooks/attempt-turns.ts#before': 'AT_ONCE_MAX accounts',
  'http/workers/webhooks/concurrency-limiter.ts#queues': 'open deliveries (quota open_deliveries); OWNER_SHARE of the slots of an owner',
  'sandbox-pool/admission.ts#waiting': 'runs that wait: a maximum of each merchant',
  'sandbox-pool/admission.ts#started': 'runs under way: a maximum of each merchant',
  'sandbox-pool/bytes-under-way.ts#byMerchant': 'UNDER_WAY_PER_MERCHANT_BYTES_MAX of a merchant',
  'sandbox-pool/placement.ts#rows': 'runs under way, of merchants',
  'sandbox-pool/placement.ts#heavy': 'merchants among them whose code computes for long',
  'sandbox-pool/run-seconds.ts#buckets': 'one bucket of each merchant with runs',
}

/** Files whose collections callers do not fill beyond one request, stream or run, and what bounds them. */
const OTHERS: Readonly<Record<string, string>> = {
  'http/api/billers/logo-cache.ts': 'a cache with a maximum of bytes; a dropped logo is read again',
  'http/api/stream/wallet-hub.ts#waiting': 'RECORDS_WAITING_MAX, then all are written at once',
  'http/api/stream/merchant-stream.ts': 'of one stream, closed when it is too far behind',
  'http/app/cluster-warnings.ts': 'one entry of each warning',
  'http/app/environment-reader.ts': 'settings of the start',
  'http/app/owner-calls.ts': 'requests under way, which connections bound',
  'http/api/charges/till-routes.ts': 'members of one merchant, for one request',
  'http/app/prometheus-text.ts': 'metrics, made at the start',
  'http/auth/wallet/send-budget.ts': 'calling codes of the settings',
  'http/crypto/node-seal.ts': 'nodes of the cluster',
  'http/crypto/scrypt-threads.ts': 'SCRYPT_THREADS_MAX',
  'http/lists/list-answers.ts': 'one page',
  'http/openapi/openapi-schemas.ts': 'schemas, made at the start',
  'http/openapi/served-document.ts': 'forms of the document',
  'http/pages/shared/api-calls.ts': 'routes, made at the start',
  'http/pages/dashboard/shared/form-table.ts': 'routes, made at the start',
  'http/pages/docs/search.ts': 'languages',
  'http/pages/docs/written-pages.ts': 'pages of the documentation',
  'http/server/deadlines.ts': 'connections, of which CONNECTIONS_MAX are open',
  'http/server/native-routes.ts': 'routes, made at the start',
  'http/server/route-meter.ts': 'statuses',
  'http/server/threads/engine-thread-link.ts': 'connections of one thread',
  'http/server/threads/http-threads.ts': 'threads',
  'http/server/threads/outbox.ts': 'bytes that wait for the ring, with a maximum',
  'http/server/threads/thread-server.ts': 'connections of one thread',
  'http/workers/gateways/inbox.ts': 'development alone, with a maximum',
  'http/workers/gateways/message-recorder.ts': 'MESSAGE_RESULTS_PER_COMMAND_MAX at a time',
  'http/workers/gateways/push-tail.ts': 'PUSHES_AHEAD_MAX; further ones stay in the log',
  'sandbox-pool/child-runs.ts': 'runs that the admission let in',
  'sandbox-pool/frames.ts': 'one message, with a maximum',
  'sandbox-pool/guest-run.ts': 'one run, with a maximum of timers and fetches',
  'sandbox-pool/guest/blob.ts': 'one run, inside its own memory',
  'sandbox-pool/guest/event-target.ts': 'one run, inside its own memory',
  'sandbox-pool/hosted-run.ts': 'one run, with a maximum of fetches and log lines',
  'sandbox-pool/run-log.ts': 'one run, with a maximum of log lines',
  'sandbox-pool/sandbox.ts': 'runs that the admission let in',
  'sandbox-pool/thread-runs.ts': 'runs that the admission let in',
}

const COLLECTION = /^(?:Map|Set|LargeMap|TimerQueue|FairTurns)$/

export const OUTSIDE_BOUNDS: Rule = {
  name: 'outside-bounds',
  reason: 'A ring, queue or cache without a share is filled by one caller for all: name its share, or what bounds it, in this table.',
  check: (tree) => {
    const files = [...tree.files.values()].filter(({ path }) => /^(?:http\/(?!client\/)|sandbox-pool\/)/.test(path))
    const found = files.flatMap(collections)
    const names = new Set(found.flatMap(({ name, file }) => [name, file]))
    return [
      ...found.filter(({ name, file }) => SHARES[name] === undefined && OTHERS[name] === undefined && OTHERS[file] === undefined),
      ...[...Object.keys(SHARES), ...Object.keys(OTHERS)].filter((name) => isStale(tree, names, name)).map(stale),
      ...undeclared(tree),
    ]
  },
}

/** Tests of rules have small trees, in which a file that is not there is no mistake. */
function isStale(tree: SourceTree, names: ReadonlySet<string>, name: string): boolean {
  return tree.files.has(fileOf(name)) && !names.has(name)
}

function stale(name: string): Violation {
  return { file: fileOf(name), line: 1, message: `has no collection ${name} any more: take its row out of the table` }
}

/** Rows that name a quota which no file declares. */
function undeclared(tree: SourceTree): Violation[] {
  return Object.entries(SHARES).flatMap(([name, bound]) => {
    const quota = /^quota (\w+)/.exec(bound)?.[1]
    if (quota === undefined || !tree.files.has(fileOf(name))) return []
    const isDeclared = [...tree.files.values()].some(({ path, text }) => path.endsWith('-limits.ts') && text.includes(`name: '${quota}'`))
    return isDeclared ? [] : [{ file: fileOf(name), line: 1, message: `${name}: no file declares the quota ${quota}` }]
  })
}

function fileOf(name: string): string {
  return name.split('#')[0] as string
}

function collections({ path, ast }: SourceFile): (Violation & { readonly name: string })[] {
  const found: (Violation & { readonly name: string })[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyDeclaration(node) && node.initializer !== undefined && isCollection(node.initializer)) {
      const name = `${path}#${node.name.getText(ast).replace(/^#/, '')}`
      found.push({ file: path, line: lineOf(ast, node), name, message: `${name} has neither a share nor another bound` })
    }
    ts.forEachChild(node, visit)
  }
  visit(ast)
  return found
}

function isCollection(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0
  return ts.isNewExpression(value) && COLLECTION.test(value.expression.getText())
}
