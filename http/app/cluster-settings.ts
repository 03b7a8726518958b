// Settings of a cluster's node, whose log is in PostgreSQL. They apply with WAL=postgres only.
import { hostname } from 'node:os'
import { type PostgresHosts, parsePostgresUrl } from '../../wal/log/postgres-hosts.ts'
import type { EnvironmentReader } from './environment-reader.ts'

export interface ClusterSettings {
  readonly kind: 'postgres'
  readonly hosts: PostgresHosts
  /** URL of this node for other nodes, without a trailing slash. */
  readonly nodeUrl: string
  readonly nodeName: string
  readonly clusterSecret: Buffer
  readonly takeoverAfterMs: number
  readonly allowsUnsafe: boolean
}

export type WalSetting = { readonly kind: 'lmdb' } | ClusterSettings

const LMDB: WalSetting = { kind: 'lmdb' }
const SECRET_BYTES = 32
const NODE_NAME = /^[A-Za-z0-9._:-]{1,48}$/

/** Reads the log's settings. Faults never repeat values, because some hold passwords. */
export function readWal(reader: EnvironmentReader): WalSetting {
  if (reader.choice('WAL', ['lmdb', 'postgres'], 'lmdb') === 'lmdb') return LMDB
  const hosts = readHosts(reader)
  const nodeUrl = reader.url('NODE_URL')
  if (reader.text('NODE_URL') === null)
    reader.fault('NODE_URL', 'is required when WAL is postgres: the address where other nodes reach this one')
  if (reader.text('MASTER_KEY') === null) reader.fault('MASTER_KEY', 'is required when WAL is postgres, the same on all nodes')
  const clusterSecret = readSecret(reader)
  const nodeName = reader.text('NODE_NAME') ?? `${hostname()}:${reader.text('PORT') ?? '8080'}`
  if (!NODE_NAME.test(nodeName)) reader.fault('NODE_NAME', 'must be 1 to 48 letters, digits and the characters . _ : -')
  const takeoverAfterMs = reader.integer('TAKEOVER_AFTER_MS', { min: 1500, max: 600_000, default: 3000 })
  const allowsUnsafe = reader.flag('WAL_POSTGRES_UNSAFE')
  if (hosts === null || nodeUrl === null || clusterSecret === null) return LMDB
  return { kind: 'postgres', hosts, nodeUrl, nodeName, clusterSecret, takeoverAfterMs, allowsUnsafe }
}

function readHosts(reader: EnvironmentReader): PostgresHosts | null {
  try {
    return parsePostgresUrl(reader.text('WAL_POSTGRES_URL') ?? '')
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    reader.fault('WAL_POSTGRES_URL', 'must be an address that starts with postgres:// when WAL is postgres')
    return null
  }
}

function readSecret(reader: EnvironmentReader): Buffer | null {
  const secret = Buffer.from(reader.text('CLUSTER_SECRET') ?? '', 'base64')
  if (secret.length === SECRET_BYTES) return secret
  reader.fault(
    'CLUSTER_SECRET',
    `must be ${SECRET_BYTES} random bytes in base64, the same on all nodes (openssl rand -base64 ${SECRET_BYTES})`,
  )
  return null
}
