// Serves logos of billers and merchants without authentication, under content-addressed names and with the content type of the image header. A logo
// that nothing uses any more answers 404.
import type { EngineApi } from '../../../engine/api.ts'
import { Type } from '../../../engine/contract/schema.ts'
import { type Header, type Route, route } from '../../server/route.ts'
import { LogoCache } from './logo-cache.ts'
import { LOGO_TYPES } from './logo-file.ts'

const NAME = /^[0-9a-f]{64}\.(png|jpg|webp)$/

export interface LogoRouteParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function logoRoute(parts: LogoRouteParts): Route {
  const cache = new LogoCache()
  return route({
    method: 'GET',
    path: '/logos/{name}',
    operationId: 'getLogo',
    tag: 'Pages',
    summary: 'The logo of a biller or a merchant',
    auth: 'public',
    idempotency: 'none',
    params: { name: Type.String() },
    responses: [{ status: 200, description: 'The picture.', contentType: 'image/png' }],
    errors: [],
    handle: (call) => {
      const name = String(call.params[0])
      const ending = NAME.exec(name)?.[1] as keyof typeof LOGO_TYPES | undefined
      const { engine } = parts
      if (ending === undefined || !engine.query('billers.hasLogo', { file: name })) return call.refuse('not_found')
      // The content-addressed name is also the ETag.
      const headers: readonly Header[] = [
        ['Content-Type', LOGO_TYPES[ending]],
        ['Cache-Control', 'public, max-age=31536000, immutable'],
        ['ETag', `"${name}"`],
        // A browser may open the image as a document. The sandbox prevents scripts in it.
        ['Content-Security-Policy', "default-src 'none'; sandbox"],
        ['Cross-Origin-Resource-Policy', 'cross-origin'],
      ]
      if (call.ifNoneMatch.includes(`"${name}"`)) return call.answerAs(304, '', headers)
      const read = (): Buffer => Buffer.from(engine.query('billers.logo', { file: name }) ?? '', 'base64')
      call.answerAs(200, cache.of(name, read), headers)
    },
  })
}
