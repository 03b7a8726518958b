// What every answer of every route carries: ids, headers, methods, errors in the catalogue's words.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually, type RawAnswer, RawClient, type RequestParts, request } from '../../support/raw-client.ts'
import { CREDENTIALS, openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

let server: ServerWithoutEngine

before(async () => {
  server = await openFakeServer()
})

after(() => server.http.close())

async function ask(parts: RequestParts, port = server.port): Promise<RawAnswer> {
  const client = await RawClient.open(port)
  const answer = await client.send(request(parts)).answer()
  client.close()
  return answer
}

function codeOf(answer: RawAnswer): string {
  return (JSON.parse(answer.body) as { code: string }).code
}

describe('request ids', () => {
  const kept = ['1', 'a b~!', 'x'.repeat(128)]
  for (const id of kept) {
    it(`a request id of ${id.length} printable characters is kept`, async () => {
      const answer = await ask({ path: '/things', headers: { 'X-Request-Id': id } })
      assert.equal(answer.headers.get('x-request-id'), id)
    })
  }

  for (const id of ['', 'é', 'tab\there', 'x'.repeat(129)]) {
    it(`a request id ${JSON.stringify(id.slice(0, 10))} is replaced`, async () => {
      const answer = await ask({ path: '/things', headers: { 'X-Request-Id': id } })
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_[\w-]+$/)
    })
  }

  it('a request id is made new each time, on errors too', async () => {
    const answers = [
      await ask({ path: '/things' }),
      await ask({ path: '/things' }),
      await ask({ path: '/nowhere' }),
      await ask({ path: '/mine' }),
    ]
    assert.equal(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size, answers.length)
  })
})

describe('paths and methods', () => {
  const rows: readonly (readonly [method: string, path: string, status: number, allow: string | undefined])[] = [
    ['GET', '/things', 200, undefined],
    ['GET', '/things/1', 200, undefined],
    ['GET', '/nowhere', 404, undefined],
    ['POST', '/nowhere', 404, undefined],
    ['GET', '/', 404, undefined],
    ['GET', '/things/', 404, undefined],
    ['GET', '/things/1/2', 404, undefined],
    ['GET', '//things', 404, undefined],
    ['GET', '/Things', 404, undefined],
    ['POST', '/things', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', '/things/1', 405, 'GET, PUT, HEAD, OPTIONS'],
    ['PATCH', '/things/1', 405, 'GET, PUT, HEAD, OPTIONS'],
    ['BREW', '/things/1', 405, 'GET, PUT, HEAD, OPTIONS'],
    ['get', '/things', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/pay', 405, 'POST, OPTIONS'],
    ['GET', '/things/sum', 405, 'POST, OPTIONS'],
    ['PUT', '/things/sum', 405, 'POST, OPTIONS'],
    ['PATCH', '/things/sum', 405, 'POST, OPTIONS'],
    ['POST', '/things/sum', 200, undefined],
    ['OPTIONS', '/pay', 204, 'POST, OPTIONS'],
    ['OPTIONS', '/things/1', 204, 'GET, PUT, HEAD, OPTIONS'],
    ['OPTIONS', '/nowhere', 404, undefined],
  ]
  for (const [method, path, status, allow] of rows) {
    it(`${method} ${path}: ${status}`, async () => {
      const answer = await ask({ method, path })
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('allow'), allow)
      if (status === 404) assert.equal(codeOf(answer), 'not_found')
      if (status === 405) assert.equal(codeOf(answer), 'method_not_allowed')
      if (status === 204) assert.equal(answer.body, '')
    })
  }

  it('a path has its placeholders decoded, and a broken escape gets 404', async () => {
    assert.deepEqual(JSON.parse((await ask({ path: '/things/a%20b%2Fc' })).body).params, ['a b/c'])
    assert.equal((await ask({ path: '/things/%zz' })).status, 404)
    assert.equal((await ask({ path: `/things/${'x'.repeat(513)}` })).status, 404)
  })

  for (const [path, status] of [
    ['/things', 200],
    ['/mine', 401],
    ['/nowhere', 404],
    ['/pay', 405],
  ] as const) {
    it(`HEAD ${path}: ${status}, with the length of the body and without the body`, async () => {
      const get = path === '/pay' ? await ask({ method: 'PUT', path }) : await ask({ path })
      const client = await RawClient.open(server.port)
      client.send(request({ method: 'HEAD', path }))
      await eventually(() => client.received.includes('\r\n\r\n'), 'the head')
      // A body of a HEAD answer would stand before the next answer.
      client.send(request({ path: '/things/marker' }))
      await eventually(() => client.received.includes('marker'), 'the next answer')
      client.close()
      const [head = '', next = ''] = client.received.split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(head, new RegExp(`\r\nContent-Length: ${Buffer.byteLength(get.body)}(\r\n|$)`))
      assert.match(next, /^HTTP\/1.1 200 /)
    })
  }
})

describe('headers of answers', () => {
  it('an answer names its type, forbids caches and sniffing, and does not name the software', async () => {
    for (const path of ['/things', '/nowhere', '/mine', '/healthz']) {
      const { headers } = await ask({ path })
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', path)
      assert.equal(headers.get('cache-control'), 'no-store', path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.ok(!headers.has('uwebsockets') && !headers.has('server') && !headers.has('x-powered-by'), path)
    }
  })

  it('a header that is given twice where one is meant is rejected', async () => {
    const client = await RawClient.open(server.port)
    const answer = await client.send(`GET /mine HTTP/1.1\r\nHost: a\r\nX-Api-Key: a\r\nX-Api-Key: b\r\nX-Api-Secret: c\r\n\r\n`).answer()
    client.close()
    assert.equal(answer.status, 400)
    assert.deepEqual(
      { code: codeOf(answer), param: (JSON.parse(answer.body) as { param: string }).param },
      { code: 'invalid_request', param: 'X-Api-Key' },
    )
  })

  it('a handler that throws is a 500 that says nothing of why', async () => {
    const answer = await ask({ path: '/broken' })
    assert.equal(answer.status, 500)
    assert.equal(codeOf(answer), 'internal_error')
    assert.doesNotMatch(answer.body, /threw|at |\.ts/)
    assert.match(String(server.notes.errors.at(-1)), /a handler threw/)
  })
})

describe('answers that are no success', () => {
  it('every ErrorBody has the id of its request', async () => {
    const rows: readonly RequestParts[] = [
      { path: '/nowhere' },
      { path: '/mine' },
      { method: 'POST', path: '/things' },
      { path: '/broken' },
      { method: 'POST', path: '/echo', body: '[]' },
      { method: 'POST', path: '/pay', body: '{}', headers: CREDENTIALS },
    ]
    for (const row of rows) {
      const answer = await ask(row)
      assert.ok(answer.status >= 400)
      assert.equal((JSON.parse(answer.body) as { request_id: string }).request_id, answer.headers.get('x-request-id'), row.path)
    }
    const answer = await ask({ path: '/nowhere', headers: { 'X-Request-Id': 'mine "1" \\' } })
    assert.equal((JSON.parse(answer.body) as { request_id: string }).request_id, 'mine "1" \\')
  })

  it('a 401 names the scheme that it asks for', async () => {
    assert.equal((await ask({ path: '/mine' })).headers.get('www-authenticate'), 'ApiKey realm="cauri"')
    assert.equal((await ask({ path: '/nowhere' })).headers.has('www-authenticate'), false)
  })

  it('every answer says how long an idle connection may be used', async () => {
    for (const path of ['/things', '/nowhere']) assert.equal((await ask({ path })).headers.get('keep-alive'), 'timeout=7')
  })
})

describe('the size of a head', () => {
  const head = (sizeBytes: number): string => {
    const start = 'GET /things HTTP/1.1\r\nHost: a\r\nX-Long: '
    return `${start}${'x'.repeat(sizeBytes - start.length - 4)}\r\n\r\n`
  }

  it('16 KiB of request line and headers are read', async () => {
    for (const sizeBytes of [4095, 4096, 16 * 1024 - 1]) {
      const client = await RawClient.open(server.port)
      assert.equal((await client.send(head(sizeBytes)).answer()).status, 200, `${sizeBytes} bytes`)
      client.close()
    }
  })

  it('a larger one gets 431 from the native layer, and the connection closes', async () => {
    const client = await RawClient.open(server.port)
    client.send(head(17 * 1024))
    await client.closed()
    assert.match(client.received, /^HTTP\/1\.1 431 /)
  })

  for (const [name, line] of [
    ['HTTP/1.0', 'GET /things HTTP/1.0'],
    ['the absolute form', 'GET http://a/things HTTP/1.1'],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1'],
  ]) {
    it(`${name} gets 505 from the native layer, and the connection closes`, async () => {
      const client = await RawClient.open(server.port)
      client.send(`${line}\r\nHost: a\r\n\r\n`)
      await client.closed()
      assert.match(client.received, /^HTTP\/1\.1 505 /)
    })
  }
})

describe('guards, before the body is read', () => {
  it('401 comes while the body is still far away', async () => {
    const client = await RawClient.open(server.port)
    const answer = await client.send('POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n').answer()
    client.close()
    assert.equal(answer.status, 401)
    assert.equal(codeOf(answer), 'unauthorized')
  })

  it('content types that are no JSON get 415', async () => {
    for (const type of ['text/plain', 'application/jsonp', 'application/jso; charset=utf-8', 'multipart/form-data; boundary=x']) {
      const client = await RawClient.open(server.port)
      const answer = await client.send(`POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n\r\n{}`).answer()
      client.close()
      assert.equal(answer.status, 415, type)
      assert.equal(codeOf(answer), 'unsupported_media_type')
    }
  })

  it('what is no JSON gets 400 invalid_json', async () => {
    for (const body of ['', '{', 'nope', '{"a":"\xff"}', `${'['.repeat(40)}${']'.repeat(40)}`]) {
      const client = await RawClient.open(server.port)
      const text = `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const answer = await client.send(text).answer()
      client.close()
      assert.equal(answer.status, 400, body)
      assert.equal(codeOf(answer), 'invalid_json', body)
    }
  })
})

describe('before the server is ready', () => {
  it('everything but health gets 503 with Retry-After', async () => {
    const closed = await openFakeServer({ closed: true })
    try {
      assert.equal((await ask({ path: '/healthz' }, closed.port)).status, 200)
      for (const path of ['/things', '/mine', '/nowhere']) {
        const answer = await ask({ path }, closed.port)
        assert.equal(answer.status, 503, path)
        assert.equal(codeOf(answer), 'unavailable')
        assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      }
    } finally {
      await closed.http.close()
    }
  })
})

describe('rate limits', () => {
  it('a bucket of three: counted down, then 429, and the next second goes on', async () => {
    const limited = await openFakeServer({ rates: { live: 0, test: 3 } })
    try {
      const answers: RawAnswer[] = []
      for (let index = 0; index < 4; index++) answers.push(await ask({ path: '/mine', headers: CREDENTIALS }, limited.port))
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 200, 200, 429],
      )
      assert.deepEqual(
        answers.map((answer) => answer.headers.get('ratelimit-remaining')),
        ['2', '1', '0', '0'],
      )
      const refused = answers[3] as RawAnswer
      assert.equal(codeOf(refused), 'rate_limited')
      assert.equal(refused.headers.get('ratelimit-limit'), '3')
      assert.equal(refused.headers.get('ratelimit-reset'), '1')
      assert.equal(refused.headers.get('retry-after'), '1')
      const later = async (): Promise<number> => (await ask({ path: '/mine', headers: CREDENTIALS }, limited.port)).status
      let status = 429
      while (status === 429) status = await later()
      assert.equal(status, 200)
    } finally {
      await limited.http.close()
    }
  })

  it('none: no headers; unknown callers get none either', async () => {
    assert.equal((await ask({ path: '/mine', headers: CREDENTIALS })).headers.has('ratelimit-limit'), false)
    const limited = await openFakeServer({ rates: { live: 3, test: 3 } })
    try {
      assert.equal((await ask({ path: '/mine' }, limited.port)).headers.has('ratelimit-limit'), false)
    } finally {
      await limited.http.close()
    }
  })
})
