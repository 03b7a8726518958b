// HTTP server of the rivals P and P2: Fastify, a connection pool, and one prepared call per payout (P) or per group of waiting payouts
// (P2, micro-batching). It implements the payout route (keys,
// idempotency, rejections) in the usual way, so that Cauri is compared with a good conventional server.
import { createHash, getRandomValues, hash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import pg from 'pg'
import { IdSource } from '../../engine/kernel/ids.ts'
import { PayoutGroups } from './payout-groups.ts'
import { SUPERUSER } from './postgres-cluster.ts'

interface Merchant {
  readonly id: number
  readonly secretSha256: Buffer
}

interface PayoutBody {
  readonly recipient: string
  readonly amount: number
  readonly reference?: string
  readonly note?: string
}

/** Arguments of the call in their order. */
type PayoutValues = readonly [number, string, Buffer, string, string, string, number, string, string, Date, string]

interface Answer {
  readonly body: string | null
  readonly replayed: boolean
}

const CREATE_PAYOUT = 'SELECT body, replayed FROM create_payout($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)'
const CREATE_PAYOUTS = 'SELECT body, replayed FROM create_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)'
/** Arguments of a payout. */
const COLUMNS = 11

const BODY_SCHEMA = {
  type: 'object',
  required: ['recipient', 'amount'],
  properties: {
    recipient: { type: 'string', pattern: '^@?[a-z0-9_]{3,20}$' },
    amount: { type: 'integer', minimum: 1, maximum: 1_000_000_000_000 },
    reference: { type: 'string', maxLength: 255 },
    note: { type: 'string', maxLength: 255 },
  },
}

const [socketFolder, poolSize, mode] = process.argv.slice(2)
if (socketFolder === undefined || poolSize === undefined || (mode !== 'single' && mode !== 'grouped'))
  throw new Error('usage: postgres-server.ts <socket folder> <pool size> <single | grouped>')

const pool = new pg.Pool({ host: socketFolder, user: SUPERUSER, database: 'postgres', max: Number(poolSize), min: Number(poolSize) })
const merchants = await loadMerchants()
const groups = new PayoutGroups<PayoutValues, Answer>(Number(poolSize), payGroup)
const ids = new IdSource((target) => getRandomValues(target))
const server = fastify({ logger: false })

server.post('/v1/biz/payouts', { schema: { body: BODY_SCHEMA } }, createPayout)
await server.listen({ host: '127.0.0.1', port: 0 })
const address = server.server.address()
if (address === null || typeof address === 'string') throw new Error('no port')
process.stdout.write(`${JSON.stringify({ msg: 'listening', port: address.port })}\n`)
process.once('SIGTERM', () => process.exit(0))

async function createPayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const merchant = authenticate(request)
  reply.header('Content-Type', 'application/json; charset=utf-8').header('X-Request-Id', request.id)
  if (merchant === null) return reply.code(401).send('{"code":"unauthorized","message":"Clé API absente ou incorrecte."}')
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string')
    return reply.code(400).send('{"code":"idempotency_key_required","message":"En-tête Idempotency-Key requis."}')
  const body = request.body as PayoutBody
  const now = new Date()
  const id = ids.next(now.getTime())
  const transactionId = ids.next(now.getTime())
  const fingerprint = createHash('sha256')
    .update(`POST ${request.url} ${JSON.stringify(body)}`)
    .digest()
  const tag = body.recipient.replace(/^@/, '')
  const head = bodyHead(id, tag, body, now)
  const { amount, reference = '', note = '' } = body
  const values: PayoutValues = [merchant.id, key, fingerprint, id, transactionId, tag, amount, reference, note, now, head]
  const answer = mode === 'grouped' ? await groups.add(values) : await payOne(values)
  if (answer === undefined || answer.body === null)
    return reply.code(422).send('{"code":"idempotency_key_reused","message":"Clé déjà utilisée pour une autre requête."}')
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true')
  return reply.code(201).send(answer.body)
}

async function payOne(values: PayoutValues): Promise<Answer | undefined> {
  const { rows } = await pool.query<Answer>({ name: 'create-payout', text: CREATE_PAYOUT, values: [...values] })
  return rows[0]
}

/** One transaction for all of them. */
async function payGroup(group: readonly PayoutValues[]): Promise<Answer[]> {
  const columns = Array.from({ length: COLUMNS }, (_, column) => group.map((values) => values[column]))
  const { rows } = await pool.query<Answer>({ name: 'create-payouts', text: CREATE_PAYOUTS, values: columns })
  return rows
}

function bodyHead(id: string, recipient: string, body: PayoutBody, now: Date): string {
  const fields = {
    id,
    recipient,
    amount: body.amount,
    currency: 'XOF',
    fee: 0,
    reference: body.reference ?? '',
    note: body.note ?? '',
    environment: 'live',
    batch_id: null,
    schedule_id: null,
    disbursement_id: null,
    created_at: now,
  }
  return `${JSON.stringify(fields).slice(0, -1)},`
}

function authenticate(request: FastifyRequest): Merchant | null {
  const { 'x-api-key': publicKey, 'x-api-secret': secretKey } = request.headers
  if (typeof publicKey !== 'string' || typeof secretKey !== 'string') return null
  const merchant = merchants.get(publicKey)
  return merchant !== undefined && timingSafeEqual(merchant.secretSha256, hash('sha256', secretKey, 'buffer')) ? merchant : null
}

/** Reads the keys once: a conventional server would cache them too. */
async function loadMerchants(): Promise<Map<string, Merchant>> {
  const { rows } = await pool.query<{ id: number; public_key: string; secret_sha256: Buffer }>(
    'SELECT id, public_key, secret_sha256 FROM merchants',
  )
  return new Map(rows.map((row) => [row.public_key, { id: row.id, secretSha256: row.secret_sha256 }]))
}
