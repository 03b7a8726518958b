// The language of error messages: chosen by Accept-Language, named by Content-Language.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RawAnswer, RawClient, type RequestParts, request } from '../../support/raw-client.ts'
import { openFakeServer, type ServerWithoutEngine } from '../../support/server-without-engine.ts'

let server: ServerWithoutEngine

before(async () => {
  server = await openFakeServer()
})

after(() => server.http.close())

async function ask(parts: RequestParts): Promise<RawAnswer> {
  const client = await RawClient.open(server.port)
  const answer = await client.send(request(parts)).answer()
  client.close()
  return answer
}

describe('languages', () => {
  const rows: readonly (readonly [accept: string | null, language: string, message: string])[] = [
    [null, 'fr', 'La ressource demandée est introuvable.'],
    ['fr-SN, en;q=0.5', 'fr', 'La ressource demandée est introuvable.'],
    ['en-GB, fr;q=0.5', 'en', 'The requested resource does not exist.'],
  ]
  for (const [accept, language, message] of rows) {
    it(`an error has its message in ${language} for ${accept ?? 'no header'}`, async () => {
      const answer = await ask({ path: '/nowhere', headers: accept === null ? {} : { 'Accept-Language': accept } })
      assert.equal((JSON.parse(answer.body) as { message: string }).message, message)
      assert.equal(answer.headers.get('content-language'), language)
      assert.equal(answer.headers.get('vary'), 'Accept-Language')
    })
  }

  it('an answer without an error names no language', async () => {
    const answer = await ask({ path: '/things', headers: { 'Accept-Language': 'en' } })
    assert.equal(answer.headers.has('content-language'), false)
  })
})
