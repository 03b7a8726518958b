// The nodes of the cluster on the operator's desk: who owns the log, who follows and how far behind, who is gone, how long appends and
// barriers take. Each node answers from its own memory, so the page works without an owner and without PostgreSQL.

import { type Route, route } from '../../server/route.ts'
import { CLOCK_DIFFERENCE_WARN_MS } from '../../server/server-limits.ts'
import { composed, type Text } from '../../text/text.ts'
import { countedText, countText } from '../shared/amount-text.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { TEXTS } from './cluster-routes-messages.ts'
import type { ClusterView, ShownDurations, ShownNode, ShownRole } from './cluster-view.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { moment } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

export function clusterRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/cluster',
      atEveryNode: true,
      operationId: 'showOperatorCluster',
      summary: 'The nodes of the cluster',
      handle: (call) =>
        desk.signedIn(call, '../', (session) => {
          const view = desk.cluster()
          const body = view === null ? singleBody() : clusterBody(view, desk.engine.query('engine.time', null))
          desk.answer(call, session, { title: OPERATOR_WORDS.nodes, place: 'cluster', root: '../', body })
        }),
    }),
  ]
}

/** Returns what the first page of the desk shows of the cluster: its state in three words. */
export function clusterState(view: ClusterView | null): Text | string {
  if (view === null) return TEXTS.oneNode
  return problems(view).length === 0 ? TEXTS.inService(liveCount(view)) : OPERATOR_WORDS.check
}

function singleBody(): Html {
  return html`<h1>${OPERATOR_WORDS.nodes}</h1>
<p class="verdict" role="status">${TEXTS.thereOneNodeWithWal}</p>
<p class="hint">${TEXTS.withWalPostgresSeveralNodes}</p>`
}

function clusterBody(view: ClusterView, nowMs: number): Html {
  const wrong = problems(view)
  const owner = ownerOf(view)
  return html`<h1>${OPERATOR_WORDS.nodes}</h1>
${wrong.map((text) => html`<p class="verdict is-bad" role="alert">${text}</p>`)}
${wrong.length === 0 && html`<p class="verdict is-good" role="status">${TEXTS.nodeOwnsLog(view.owner, countedText(liveCount(view), TEXTS.nodeAnswers, TEXTS.nodesAnswer))}</p>`}
<dl class="facts is-long card">
<div><dt>${WORDS.owner}</dt><dd>${view.owner === null ? TEXTS.notReadYet : view.owner === '' ? OPERATOR_WORDS.none : html`<bdi>${view.owner}</bdi>`}</dd></div>
<div><dt>${TEXTS.epoch}</dt><dd>${countText(view.epoch)}</dd></div>
<div><dt>${TEXTS.lastTakeoverLog}</dt><dd>${owner === null ? TEXTS.unknown : html`${TEXTS.ago(moment(new Date(nowMs - owner.roleAgeMs).toISOString()), age(owner.roleAgeMs))}`}</dd></div>
<div><dt>${TEXTS.synchronousServersPostgreSQL}</dt><dd>${view.standbys === null ? TEXTS.unknownNumber : countText(view.standbys)}</dd></div>
<div><dt>${TEXTS.pageWrittenBy}</dt><dd><bdi>${view.answeredBy}</bdi></dd></div>
</dl>
<h2>${TEXTS.allNodes}</h2>
${dataTable({ name: OPERATOR_WORDS.nodes, columns: COLUMNS, rows: view.nodes })}
<p class="hint">${TEXTS.writesAndBarriersMedianAnd}</p>
<p><a href="cluster">${WORDS.reload}</a></p>`
}

const COLUMNS: readonly Column<ShownNode>[] = [
  { name: TEXTS.node, isHeader: true, cell: ({ name, url }) => html`<bdi>${name}</bdi><br><small><bdi>${url}</bdi></small>` },
  { name: WORDS.role, card: 'amount', cell: roleBadge },
  { name: TEXTS.sequence, isFigure: true, cell: ({ sequence }) => countText(sequence) },
  { name: TEXTS.lag, isFigure: true, cell: ({ role, lagMs, isLive }) => (isLive ? lag(role, lagMs) : '–') },
  { name: TEXTS.writesLog, isFigure: true, cell: ({ appends }) => durations(appends) },
  { name: TEXTS.barriers, isFigure: true, cell: ({ barriers }) => durations(barriers) },
  { name: TEXTS.version, cell: ({ version }) => html`<bdi>${version}</bdi>` },
  { name: TEXTS.seen, cell: seenText },
]

function seenText({ role, seenAgeMs, isLive }: ShownNode): Text | string {
  if (role === 'stopped') return TEXTS.stoppedAgo(age(seenAgeMs))
  if (!isLive) return TEXTS.goneFor(age(seenAgeMs))
  return seenAgeMs < JUST_NOW_MS ? TEXTS.justNow : TEXTS.ago2(age(seenAgeMs))
}

const ROLE_NAMES: Readonly<Record<ShownRole, Text | string>> = {
  starting: TEXTS.starts,
  following: TEXTS.follows,
  'taking over': TEXTS.takesLog,
  owning: OPERATOR_WORDS.owner,
  'handing over': TEXTS.handsOver,
  stopped: TEXTS.stopped,
}

function roleBadge({ role, isLive }: ShownNode): Html {
  if (!isLive && role !== 'stopped') return html`<span class="badge is-bad">${TEXTS.gone}</span>`
  return html`<span class="badge${role === 'owning' && ' is-good'}">${ROLE_NAMES[role] ?? role}</span>`
}

/** Returns what is wrong with the cluster as this node sees it, each with the consequence. */
function problems(view: ClusterView): (Text | string)[] {
  const found: (Text | string)[] = []
  const { failure, owner, standbys, boardAgeMs } = view
  if (failure !== null) {
    const since = boardAgeMs === null ? '' : composed` ${TEXTS.otherNodesShownAsAgo(age(boardAgeMs))}`
    found.push(TEXTS.postgreSQLDoesNotAnswerNode(failure, since))
  }
  if (failure === null && owner === '') found.push(TEXTS.noNodeOwnsLogWrites)
  const named = view.nodes.find(({ name }) => name === owner)
  if (failure === null && named !== undefined && !named.isLive) {
    found.push(TEXTS.ownerHasNotAnsweredFor(named.name, age(named.seenAgeMs)))
  }
  if (failure === null && standbys === 0) {
    found.push(TEXTS.noSynchronousServerPostgreSQLConnected)
  }
  for (const { name, clockMs, trouble, isLive } of view.nodes) {
    if (!isLive) continue
    const text = TROUBLES[trouble]
    if (text !== undefined) found.push(TEXTS.node2(name, text))
    else if (clockMs !== null && Math.abs(clockMs) > CLOCK_DIFFERENCE_WARN_MS) {
      found.push(TEXTS.clockNodeDiffersFromPostgreSQLs(name, age(Math.abs(clockMs))))
    }
  }
  return found
}

/** What a node reports about itself, by the code of its `/healthz`. */
const TROUBLES: Readonly<Record<string, Text | string>> = {
  clock_wrong: TEXTS.hasClockWrongByMore,
  owner_unreachable: TEXTS.doesNotReachOwnerIts,
  secret_rejected: TEXTS.rejectedByOwnerCompareCluster,
}

/** Returns the node that took the log in the newest epoch; null when it is unknown. */
function ownerOf({ nodes, owner, epoch }: ClusterView): ShownNode | null {
  return nodes.find((node) => node.role === 'owning' && node.name === owner && node.epoch === epoch) ?? null
}

function liveCount({ nodes }: ClusterView): number {
  return nodes.filter(({ isLive }) => isLive).length
}

const MILLISECONDS = new Intl.NumberFormat('fr-FR', { maximumSignificantDigits: 2 })
const SECOND_MS = 1000
/** A node reports every 2 s. */
const JUST_NOW_MS = 5 * SECOND_MS

function durations({ p50Ms, p99Ms }: ShownDurations): Fragment {
  return p50Ms === null || p99Ms === null ? '–' : `${MILLISECONDS.format(p50Ms)} / ${MILLISECONDS.format(p99Ms)} ms`
}

function lag(role: ShownRole, lagMs: number): Text | string {
  return role === 'owning' ? '–' : lagMs < SECOND_MS ? WORDS.ms(Math.round(lagMs)) : age(lagMs)
}

const UNITS = [
  [86_400 * SECOND_MS, 'j'],
  [3600 * SECOND_MS, 'h'],
  [60 * SECOND_MS, 'min'],
] as const

function age(durationMs: number): string {
  for (const [unitMs, unit] of UNITS) if (durationMs >= unitMs) return `${Math.floor(durationMs / unitMs)} ${unit}`
  return `${Math.floor(durationMs / SECOND_MS)} s`
}
