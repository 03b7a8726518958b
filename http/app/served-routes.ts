// All served routes: the API and the pages. Without an operator token the operator's routes do not exist, for any
// method; the document lists them anyway.

import { derivedKey } from '../crypto/derived-key.ts'
import type { RootKeys } from '../crypto/seal.ts'
import { pageRoutes } from '../pages/page-table.ts'
import type { ApiCalls } from '../pages/shared/api-calls.ts'
import type { Route } from '../server/route.ts'
import type { ApplicationContext } from './application-context.ts'
import { ownerCommandRoutes } from './owner-commands.ts'
import type { Settings } from './settings.ts'

export interface ServedParts {
  readonly context: ApplicationContext
  readonly api: readonly Route[]
  readonly apiCalls: ApiCalls
  readonly settings: Pick<Settings, 'mode' | 'operatorToken' | 'wal'>
  readonly rootKeys: RootKeys
}

export function servedRoutes({ context, api, apiCalls, settings, rootKeys }: ServedParts): readonly Route[] {
  const { mode, operatorToken } = settings
  const served = operatorToken === null ? api.filter(({ auth }) => auth !== 'operator') : api
  const sessionKey = derivedKey(rootKeys, 'operator-session')
  const nodes = settings.wal.kind === 'lmdb' ? [] : ownerCommandRoutes(context)
  return [...served, ...nodes, ...pageRoutes({ app: context, api: apiCalls, operatorToken, sessionKey, isSecure: mode === 'production' })]
}
