// The nodes of the cluster on the operator's desk: who owns the log, who follows and how far behind, who is gone, how long appends and
// barriers take. Each node answers from its own memory, so the page works without an owner and without PostgreSQL.
import { type Route, route } from '../../server/route.ts'
import { CLOCK_DIFFERENCE_WARN_MS } from '../../server/server-limits.ts'
import { type Column, dataTable } from '../data-table.ts'
import { type Fragment, type Html, html, type Localized, phrase } from '../html.ts'
import type { ClusterView, ShownDurations, ShownNode, ShownRole } from './cluster-view.ts'
import { DESK_PAGE, type Desk } from './desk.ts'
import { moment } from './operator-parts.ts'

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
          desk.answer(call, session, { title: 'Nœuds', place: 'cluster', root: '../', body })
        }),
    }),
  ]
}

/** Returns what the first page of the desk shows of the cluster: its state in three words. */
export function clusterState(view: ClusterView | null): string {
  if (view === null) return 'un seul nœud'
  return problems(view).length === 0 ? `${liveCount(view)} en service` : 'à vérifier'
}

function singleBody(): Html {
  return html`<h1>Nœuds</h1>
<p class="verdict" role="status">Il y a un seul nœud : avec WAL=lmdb, le journal est sur le disque de cette machine.</p>
<p class="hint">Avec WAL=postgres, plusieurs nœuds partagent un journal dans PostgreSQL, et un autre nœud prend la suite quand l’un s’arrête.</p>`
}

function clusterBody(view: ClusterView, nowMs: number): Html {
  const wrong = problems(view)
  const owner = ownerOf(view)
  return html`<h1>Nœuds</h1>
${wrong.map((text) => html`<p class="verdict is-bad" role="alert">${text}</p>`)}
${wrong.length === 0 && html`<p class="verdict is-good" role="status">Le nœud <bdi>${view.owner}</bdi> possède le journal ; ${count(liveCount(view), 'nœud répond', 'nœuds répondent')}.</p>`}
<dl class="facts is-long card">
<div><dt>Propriétaire</dt><dd>${view.owner === null ? 'pas encore lu' : view.owner === '' ? 'aucun' : html`<bdi>${view.owner}</bdi>`}</dd></div>
<div><dt>Époque</dt><dd>${COUNT.format(view.epoch)}</dd></div>
<div><dt>Dernière prise du journal</dt><dd>${owner === null ? 'inconnue' : html`${moment(new Date(nowMs - owner.roleAgeMs).toISOString())}, il y a ${age(owner.roleAgeMs)}`}</dd></div>
<div><dt>Serveurs synchrones de PostgreSQL</dt><dd>${view.standbys === null ? 'nombre inconnu' : COUNT.format(view.standbys)}</dd></div>
<div><dt>Page écrite par</dt><dd><bdi>${view.answeredBy}</bdi></dd></div>
</dl>
<h2>Tous les nœuds</h2>
${dataTable({ name: 'Nœuds', columns: COLUMNS, rows: view.nodes })}
<p class="hint">Écritures et barrières : durée médiane et 99ᵉ centile des 256 dernières. Une écriture attend PostgreSQL et son serveur synchrone ; une barrière est l’attente d’une lecture. Un nœud disparu reste affiché sept jours.</p>
<p><a href="cluster">Actualiser</a></p>`
}

const COLUMNS: readonly Column<ShownNode>[] = [
  { name: 'Nœud', isHeader: true, cell: ({ name, url }) => html`<bdi>${name}</bdi><br><small><bdi>${url}</bdi></small>` },
  { name: 'Rôle', card: 'amount', cell: roleBadge },
  { name: 'Séquence', isFigure: true, cell: ({ sequence }) => COUNT.format(sequence) },
  { name: 'Retard', isFigure: true, cell: ({ role, lagMs, isLive }) => (isLive ? lag(role, lagMs) : '–') },
  { name: 'Écritures au journal', isFigure: true, cell: ({ appends }) => durations(appends) },
  { name: 'Barrières', isFigure: true, cell: ({ barriers }) => durations(barriers) },
  { name: 'Version', cell: ({ version }) => html`<bdi>${version}</bdi>` },
  { name: 'Vu', cell: seenText },
]

function seenText({ role, seenAgeMs, isLive }: ShownNode): string {
  if (role === 'stopped') return `arrêté il y a ${age(seenAgeMs)}`
  if (!isLive) return `disparu depuis ${age(seenAgeMs)}`
  return seenAgeMs < JUST_NOW_MS ? 'à l’instant' : `il y a ${age(seenAgeMs)}`
}

const ROLE_NAMES: Readonly<Record<ShownRole, string>> = {
  starting: 'démarre',
  following: 'suit',
  'taking over': 'prend le journal',
  owning: 'propriétaire',
  'handing over': 'passe la main',
  stopped: 'arrêté',
}

function roleBadge({ role, isLive }: ShownNode): Html {
  if (!isLive && role !== 'stopped') return html`<span class="badge is-bad">disparu</span>`
  return html`<span class="badge${role === 'owning' && ' is-good'}">${ROLE_NAMES[role] ?? role}</span>`
}

/** Returns what is wrong with the cluster as this node sees it, each with the consequence. */
function problems(view: ClusterView): (Localized | string)[] {
  const found: (Localized | string)[] = []
  const { failure, owner, standbys, boardAgeMs } = view
  if (failure !== null) {
    const since = boardAgeMs === null ? '' : phrase` Les autres nœuds sont montrés comme il y a ${age(boardAgeMs)}.`
    found.push(phrase`PostgreSQL ne répond pas à ce nœud : ${failure}${since}`)
  }
  if (failure === null && owner === '') found.push('Aucun nœud ne possède le journal : les écritures attendent 5 s, puis reçoivent 503.')
  const named = view.nodes.find(({ name }) => name === owner)
  if (failure === null && named !== undefined && !named.isLive) {
    found.push(phrase`Le propriétaire ${named.name} ne répond plus depuis ${age(named.seenAgeMs)} : un autre nœud doit prendre le journal.`)
  }
  if (failure === null && standbys === 0) {
    found.push('Aucun serveur synchrone de PostgreSQL n’est connecté : les écritures attendent, rien n’est acquitté.')
  }
  for (const { name, clockMs, trouble, isLive } of view.nodes) {
    if (!isLive) continue
    const text = TROUBLES[trouble]
    if (text !== undefined) found.push(`Le nœud ${name} ${text}`)
    else if (clockMs !== null && Math.abs(clockMs) > CLOCK_DIFFERENCE_WARN_MS) {
      found.push(
        `L’horloge du nœud ${name} s’écarte de ${age(Math.abs(clockMs))} de celle de PostgreSQL. Au-delà de 10 s, il ne possède plus le journal.`,
      )
    }
  }
  return found
}

/** What a node reports about itself, by the code of its `/healthz`. */
const TROUBLES: Readonly<Record<string, string>> = {
  clock_wrong: 'a une horloge fausse de plus de 10 s : il ne possède pas le journal. Synchronisez l’horloge de sa machine.',
  owner_unreachable: 'ne joint pas le propriétaire : ses écritures échouent. Vérifiez le NODE_URL du propriétaire et le réseau.',
  secret_rejected: 'est refusé par le propriétaire. Comparez CLUSTER_SECRET et les NODE_URL des deux nœuds.',
}

/** Returns the node that took the log in the newest epoch; null when it is unknown. */
function ownerOf({ nodes, owner, epoch }: ClusterView): ShownNode | null {
  return nodes.find((node) => node.role === 'owning' && node.name === owner && node.epoch === epoch) ?? null
}

function liveCount({ nodes }: ClusterView): number {
  return nodes.filter(({ isLive }) => isLive).length
}

const COUNT = new Intl.NumberFormat('fr-FR')
const MILLISECONDS = new Intl.NumberFormat('fr-FR', { maximumSignificantDigits: 2 })
const SECOND_MS = 1000
/** A node reports every 2 s. */
const JUST_NOW_MS = 5 * SECOND_MS

function durations({ p50Ms, p99Ms }: ShownDurations): Fragment {
  return p50Ms === null || p99Ms === null ? '–' : `${MILLISECONDS.format(p50Ms)} / ${MILLISECONDS.format(p99Ms)} ms`
}

function lag(role: ShownRole, lagMs: number): string {
  return role === 'owning' ? '–' : lagMs < SECOND_MS ? `${Math.round(lagMs)} ms` : age(lagMs)
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

function count(value: number, one: string, many: string): string {
  return `${COUNT.format(value)} ${value < 2 ? one : many}`
}
