// The program as a supervisor sees it: how it starts, why it does not, and how it ends under load.
import assert from 'node:assert/strict'
import { mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { RawClient, request } from '../../support/raw-client.ts'
import { launch, type ServerProcess, startServer } from '../../support/server-process.ts'
import { ownServer } from '../../support/shared-server.ts'

interface Pasted {
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: string
}

/** The printed command as a shell would understand it. */
function paste(printed: string): Pasted {
  const text = printed.replaceAll('\\\n', ' ')
  const headers = [...text.matchAll(/-H '([^:']+): ([^']*)'/g)].map(([, name, value]) => [name, value] as const)
  return {
    url: new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? ''),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: /-d '([^']*)'/.exec(text)?.[1] ?? '',
  }
}

async function demoOf(server: ServerProcess): Promise<Pasted> {
  await server.line('"msg":"demo"')
  const untilEnd = / -d '.*'\n/
  while (!untilEnd.test(server.errorOutput())) await new Promise((resolve) => setImmediate(resolve))
  const output = server.errorOutput()
  // The first command alone: the charge after it has another key.
  const end = output.search(untilEnd) + (untilEnd.exec(output)?.[0].length ?? 0)
  return paste(output.slice(output.indexOf('curl '), end))
}

interface Refusal {
  readonly code: number | null
  readonly line: Record<string, unknown>
}

/** A start that must fail; answers its exit code and its last words. */
async function refusedStart(options: Parameters<typeof launch>[0]): Promise<Refusal> {
  const attempt = launch(options)
  try {
    const code = await attempt.exited
    return { code, line: JSON.parse(attempt.lines.at(-1) ?? '{}') as Record<string, unknown> }
  } finally {
    await attempt.remove()
  }
}

/** A data folder that a server has filled and left. */
async function filledFolder(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-left-'))
  await (await ownServer({}, dataDir)).close()
  return dataDir
}

describe('the first start', () => {
  it('the first start on an empty folder in development: the printed curl pays, and pays the same once more after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cauri-first-'))
    try {
      const settings = { MASTER_KEY: undefined, OPERATOR_TOKEN: undefined }
      const first = await startServer({ dataDir, settings })
      const { url, headers, body } = await demoOf(first)
      assert.match(first.errorOutput(), /curl -sS -X POST http:\/\/127\.0\.0\.1:\d+\/v1\/biz\/payouts/)
      const secret = String(headers['X-Api-Secret'])
      assert.match(secret, /^sk_test_/)
      assert.ok(!first.lines.some((line) => line.includes(secret)), 'printed for a person, never logged')
      const paid = await fetch(url, { method: 'POST', headers, body })
      const text = await paid.text()
      assert.equal(paid.status, 201, text)
      assert.equal((JSON.parse(text) as { state: string }).state, 'paid')
      assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
      assert.equal(await first.terminate(), 0)

      const second = await startServer({ dataDir, settings })
      const again = await demoOf(second)
      assert.deepEqual(again.headers, headers, 'the same demo, not another')
      const replayed = await fetch(again.url, { method: 'POST', headers: again.headers, body: again.body })
      assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
      assert.equal(await replayed.text(), text)
      assert.equal(await second.terminate(), 0)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })

  it('the first start in production has no demo', async () => {
    const server = await startServer({ settings: { NODE_ENV: 'production' } })
    try {
      assert.ok(server.lines.every((line) => !line.includes('"msg":"demo"')))
      assert.equal(server.errorOutput(), '')
      assert.equal(await server.terminate(), 0)
    } finally {
      await server.remove()
    }
  })
})

describe('starts that are refused', () => {
  it('wrong settings are reported by name, all at once, with exit code 2 and no stack', async () => {
    const attempt = launch({ settings: { PORT: 'eighty', LOG_LEVEL: 'loud', RATE_LIMIT_LIVE: '-1' } })
    try {
      assert.equal(await attempt.exited, 2)
      const told = attempt.errorOutput()
      for (const variable of ['PORT', 'LOG_LEVEL', 'RATE_LIMIT_LIVE']) assert.match(told, new RegExp(`^${variable} must be `, 'm'))
      assert.doesNotMatch(told, /\n +at /)
    } finally {
      await attempt.remove()
    }
  })

  it('production without a master key ends with exit code 2', async () => {
    const attempt = launch({ settings: { NODE_ENV: 'production', MASTER_KEY: undefined } })
    try {
      assert.equal(await attempt.exited, 2)
      assert.match(attempt.errorOutput(), /^MASTER_KEY is required in production/m)
    } finally {
      await attempt.remove()
    }
  })

  it('a folder that another process has is refused, and the other process goes on', async () => {
    const first = await ownServer()
    try {
      const { code, line } = await refusedStart({ dataDir: first.process.dataDir })
      assert.equal(code, 1)
      assert.equal(line.level, 'fatal')
      assert.equal(line.code, 'in_use')
      assert.match(String(line.msg), new RegExp(`process ${first.process.pid}`))
      assert.equal(line.err, undefined, 'it names its remedy: no stack')
      assert.equal((await fetch(`${first.process.baseUrl}/healthz`)).status, 200)
    } finally {
      await first.close()
    }
  })

  it('an address that is taken ends the start', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = other.address() as AddressInfo
      const { code, line } = await refusedStart({ settings: { PORT: String(port) } })
      assert.equal(code, 1)
      assert.match(String(line.msg), new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use.*set PORT`))
    } finally {
      other.close()
    }
  })

  it('a file where the folder should be ends the start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cauri-file-'))
    try {
      writeFileSync(join(folder, 'data'), '')
      const { code, line } = await refusedStart({ dataDir: join(folder, 'data') })
      assert.equal(code, 1)
      assert.equal(line.code, 'not_a_folder')
      assert.match(String(line.msg), /set DATA_DIR/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('another master key than the one that secrets were sealed under ends the start', async () => {
    const dataDir = await filledFolder()
    try {
      const other = Buffer.alloc(32, 9).toString('base64')
      const { code, line } = await refusedStart({ dataDir, settings: { MASTER_KEY: other } })
      assert.equal(code, 1)
      assert.match(String(line.msg), /MASTER_KEY is not the key/)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })

  it('a log that was damaged ends the start', async () => {
    const dataDir = await filledFolder()
    try {
      const path = join(dataDir, 'log', 'data.mdb')
      const file = openSync(path, 'r+')
      const sizeBytes = statSync(path).size
      for (let at = 4096 * 2; at < sizeBytes; at += 512) writeSync(file, Buffer.alloc(256, 0xff), 0, 256, at)
      const { code, line } = await refusedStart({ dataDir })
      assert.equal(code, 1)
      assert.equal(line.code, 'log_damaged')
      assert.match(String(line.msg), /backup/)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })
})

describe('SIGTERM under load', () => {
  const CLIENTS = 24
  const AMOUNT = 100

  interface Paid {
    readonly key: string
    readonly body: string
  }

  it('every acknowledged payout is there after the restart, exit code 0, within 10 s', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cauri-load-'))
    try {
      const server = await startServer({ dataDir })
      const demo = await demoOf(server)
      const paid: Paid[] = []
      const body = JSON.stringify({ recipient: '@awa_demo', amount: AMOUNT })
      const payout = (key: string): string =>
        request({ method: 'POST', path: '/v1/biz/payouts', body, headers: { ...credentials(demo), 'Idempotency-Key': key } })
      let sent = 0
      const customer = async (client: RawClient): Promise<void> => {
        try {
          for (;;) {
            const key = `load-${sent++}`
            const answer = await client.send(payout(key)).answer()
            if (answer.status === 201) paid.push({ key, body: answer.body })
            else return assert.equal(answer.status, 503, answer.body)
          }
        } catch (error) {
          if (!client.isClosed) throw error
        }
      }
      const clients = await Promise.all(Array.from({ length: CLIENTS }, () => RawClient.open(server.port)))
      const customers = clients.map(customer)
      while (paid.length < 500) await new Promise((resolve) => setImmediate(resolve))
      const stoppedMs = performance.now()
      assert.equal(await server.terminate(), 0)
      assert.ok(performance.now() - stoppedMs < 10_000)
      await Promise.all(customers)

      const next = await startServer({ dataDir })
      const client = await RawClient.open(next.port)
      for (const { key, body: first } of paid) {
        const again = await client.send(payout(key)).answer()
        assert.deepEqual([again.headers.get('idempotent-replayed'), again.body], ['true', first], key)
      }
      const balance = await client.send(request({ path: '/v1/biz/balance', headers: credentials(demo) })).answer()
      const spent = 1_000_000 - (JSON.parse(balance.body) as { available: number }).available
      assert.ok(spent >= paid.length * AMOUNT && spent <= (paid.length + CLIENTS) * AMOUNT, `${spent} for ${paid.length} payouts`)
      client.close()
      assert.equal(await next.terminate(), 0)
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })

  function credentials(demo: Pasted): Record<string, string> {
    return { 'X-Api-Key': demo.headers['X-Api-Key'] ?? '', 'X-Api-Secret': demo.headers['X-Api-Secret'] ?? '' }
  }
})

describe('metrics', () => {
  it('metrics count what happened, in a form that Prometheus reads', async () => {
    const server = await ownServer()
    try {
      const { url, headers, body } = await demoOf(server.process)
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 201)
      assert.equal((await fetch(`${server.process.baseUrl}/nowhere`)).status, 404)
      const answer = await fetch(`${server.process.baseUrl}/metrics`)
      assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
      const text = await answer.text()
      assert.match(text, /^cauri_http_requests_total\{operation="createPayout",status="201"\} 1$/m)
      assert.match(text, /^cauri_http_requests_total\{operation="\(unknown path\)",status="404"\} 1$/m)
      assert.match(text, /^cauri_http_request_duration_seconds_bucket\{operation="createPayout",le="\+Inf"\} 1$/m)
      assert.match(text, /^cauri_log_flush_duration_seconds_count [1-9]/m)
      assert.match(text, /^cauri_engine_durable_sequence [1-9]/m)
      assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
      for (const line of text.split('\n')) {
        assert.match(line, /^(?:$|# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"\n]*",?)*\})? -?(?:[0-9.e+-]+|Nan|NaN|\+Inf))$/, line)
      }
    } finally {
      await server.close()
    }
  })
})
