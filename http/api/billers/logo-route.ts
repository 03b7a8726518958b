// Serves logos to anybody: under names that change with their content, as what they were found to be and as nothing
// else. One that no profile shows any more is not there.
import { Type } from '../../../engine/contract/schema.ts'
import type { StoredLogo } from '../../../engine/domain/biller/biller-state.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import type { House } from '../../app/house.ts'
import { type Header, type Route, route } from '../../server/route.ts'
import { LogoCache } from './logo-cache.ts'
import { LOGO_TYPES } from './logo-file.ts'

const NAME = /^[0-9a-f]{64}\.(png|jpg|webp)$/

export function logoRoute(house: House): Route {
  const cache = new LogoCache()
  return route({
    method: 'GET',
    path: '/logos/{name}',
    operationId: 'getLogo',
    tag: 'Pages',
    summary: 'The logo of a biller',
    auth: 'public',
    idempotency: 'none',
    params: { name: Type.String() },
    responses: [{ status: 200, description: 'The picture.', contentType: 'image/png' }],
    errors: [],
    handle: (call) => {
      const name = String(call.params[0])
      const ending = NAME.exec(name)?.[1] as keyof typeof LOGO_TYPES | undefined
      const { state, history } = house.engine
      const position = ending === undefined ? undefined : state.billers.logoAt(name)
      if (ending === undefined || position === undefined) return call.refuse('not_found')
      // The name is the version, so it is also the tag.
      const headers: readonly Header[] = [
        ['Content-Type', LOGO_TYPES[ending]],
        ['Cache-Control', 'public, max-age=31536000, immutable'],
        ['ETag', `"${name}"`],
        // A picture that is looked at by itself is a page: this one may do nothing.
        ['Content-Security-Policy', "default-src 'none'; sandbox"],
        ['Cross-Origin-Resource-Policy', 'cross-origin'],
      ]
      if (call.ifNoneMatch.includes(`"${name}"`)) return call.answerAs(304, '', headers)
      const read = (): Buffer => Buffer.from(payloadOf<StoredLogo>(history.eventAt(position)).base64, 'base64')
      call.answerAs(200, cache.of(name, read), headers)
    },
  })
}
