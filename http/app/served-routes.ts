// Everything that the server answers: the API, and the pages over it. Without its token the operator's part of both is not
// there, for no method; the document shows the API's all the same.

import type { ApiCalls } from '../pages/api-calls.ts'
import { pageRoutes } from '../pages/page-table.ts'
import type { Route } from '../server/route.ts'
import type { ApplicationContext } from './application-context.ts'
import type { Settings } from './settings.ts'

export interface ServedParts {
  readonly house: ApplicationContext
  readonly api: readonly Route[]
  readonly apiCalls: ApiCalls
  readonly settings: Pick<Settings, 'mode' | 'operatorToken'>
}

export function servedRoutes({ house, api, apiCalls, settings }: ServedParts): readonly Route[] {
  const { mode, operatorToken } = settings
  const served = operatorToken === null ? api.filter(({ auth }) => auth !== 'operator') : api
  return [...served, ...pageRoutes({ app: house, api: apiCalls, operatorToken, isSecure: mode === 'production' })]
}
