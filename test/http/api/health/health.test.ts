// GET /healthz: each reason for 503 has a text that says what to check.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type HealthRouteParts, healthRoute, isHealthyNow } from '../../../../http/api/health/health-routes.ts'
import type { NodeTrouble, Trouble } from '../../../../http/api/health/health-trouble.ts'
import { RawClient, request } from '../../../support/raw-client.ts'
import { openFakeServer } from '../../../support/server-without-engine.ts'

interface Row {
  readonly trouble?: Trouble
  readonly nodeTrouble?: NodeTrouble | null
  readonly lagMs?: number
  readonly oldestAppendMs?: number
  readonly canRead?: boolean
  readonly text: RegExp | null
}

const ROWS: Readonly<Record<string, Row>> = {
  'a node that answers and writes': { text: null },
  'a follower at the maximum of its lag': { lagMs: 10_000, text: null },
  'a node that recovers': { trouble: 'recovering', text: /relit son journal/ },
  'a node that stops': { trouble: 'stopping', text: /s’arrête/ },
  'a node without room on its disk': { trouble: 'disk_full', text: /presque plein.*Libérez/ },
  'a node whose log failed': { trouble: 'log_stopped', text: /refuse les écritures après une erreur/ },
  'a follower beyond the maximum of its lag': { lagMs: 12_900, text: /12 s de retard/ },
  'a node whose append has waited for 3 s': { oldestAppendMs: 3100, text: /attend le disque de DATA_DIR depuis 3 s/ },
  'a node of a cluster whose append has waited for 3 s': {
    lagMs: 0,
    oldestAppendMs: 3100,
    text: /attend PostgreSQL depuis 3 s.*serveur synchrone/,
  },
  'a node whose clock is wrong': { nodeTrouble: { code: 'clock_wrong', measuredMs: 14_400_000 }, text: /horloge.*14400 s/ },
  'a node that does not reach the owner': {
    nodeTrouble: { code: 'owner_unreachable', measuredMs: 7000 },
    text: /ne joint pas le propriétaire/,
  },
  'a node whose secret the owner rejects': { nodeTrouble: { code: 'secret_rejected', measuredMs: 7000 }, text: /CLUSTER_SECRET/ },
  'an owner without PostgreSQL': { nodeTrouble: { code: 'postgres_away', measuredMs: 12_000 }, text: /PostgreSQL ne répond pas/ },
  'a node whose log cannot be read': { canRead: false, text: /ne peut pas être lu/ },
}

function partsOf({ trouble, nodeTrouble = null, lagMs, oldestAppendMs = 0, canRead = true }: Row): HealthRouteParts {
  return {
    version: '1.2.3',
    logCheck: { health: () => Promise.resolve({ isHealthy: canRead && oldestAppendMs < 2000, oldestAppendMs }) },
    nodeHealth: () => (lagMs === undefined ? null : { role: 'follower', epoch: 1, sequence: 1, lagMs, owner: 'node-2' }),
    trouble: () => trouble ?? null,
    nodeTrouble: () => nodeTrouble,
  }
}

describe('GET /healthz', () => {
  for (const [name, row] of Object.entries(ROWS)) {
    it(`${name} answers ${row.text === null ? 200 : `503 with ${row.text.source}`}`, async () => {
      const parts = partsOf(row)
      const server = await openFakeServer({ routes: [healthRoute(parts)], alwaysOpen: ['/healthz'] })
      try {
        const client = await RawClient.open(server.port)
        const { status, body } = await client.send(request({ path: '/healthz' })).answer()
        client.close()
        const { code, message } = JSON.parse(body) as { readonly code?: string; readonly message?: string }
        assert.equal(status, row.text === null ? 200 : 503)
        if (row.canRead !== false) assert.equal(isHealthyNow(parts, row.oldestAppendMs ?? 0), row.text === null)
        if (row.text === null) return
        assert.equal(code, 'unavailable')
        assert.match(message ?? '', row.text)
      } finally {
        await server.http.close()
      }
    })
  }

  it('a stranger does not see the sequence of a cluster, which counts the records of all merchants', async () => {
    const server = await openFakeServer({ routes: [healthRoute(partsOf({ lagMs: 0, text: null }))], alwaysOpen: ['/healthz'] })
    const shown = async (headers: Readonly<Record<string, string>>): Promise<object> => {
      const client = await RawClient.open(server.port)
      const { body } = await client.send(request({ path: '/healthz', headers })).answer()
      client.close()
      return JSON.parse(body) as object
    }
    try {
      const node = { status: 'ok', database: 'ok', version: '1.2.3', oldest_append_ms: 0, role: 'follower', epoch: 1, lag_ms: 0 }
      assert.deepEqual(await shown({ 'X-Forwarded-For': '196.207.1.9' }), node)
      assert.deepEqual(await shown({}), { ...node, sequence: 1 })
    } finally {
      await server.http.close()
    }
  })
})
