// The document of the whole route table, made without an application: a table reads none of its parts.

import { CheckoutCodes } from '../../http/api/checkout/checkout-codes.ts'
import type { ApplicationContext } from '../../http/app/application-context.ts'
import { DemoLock } from '../../http/auth/demo-lock.ts'
import { Seal } from '../../http/crypto/seal.ts'
import { CSV_EXPORTS } from '../../http/lists/list-limits.ts'
import { openapiDocument, openapiYamlParts } from '../../http/openapi/openapi.ts'
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'
import { routeTable } from '../../http/openapi/route-table.ts'
import { RequestLog } from '../../http/server/request-log.ts'
import type { Route } from '../../http/server/route.ts'
import { accountQuota, heldQuotasWith } from './held-quotas.ts'

/** Its engine must not be touched. */
export const TABLE_PARTS: ApplicationContext = {
  get engine(): never {
    throw new Error('the table asks the engine for nothing')
  },
  get wallets(): never {
    throw new Error('the table asks nobody who signs in')
  },
  get dashboard(): never {
    throw new Error('the table asks nobody who signs in')
  },
  get outside(): never {
    throw new Error('the table tells nobody anything')
  },
  get webhookSecrets(): never {
    throw new Error('the table reads no secret')
  },
  get lookups(): never {
    throw new Error('the table looks nothing up')
  },
  get sandbox(): never {
    throw new Error('the table runs no code')
  },
  seal: new Seal(new Uint8Array(32)),
  version: '0.0.0',
  baseUrl: 'http://127.0.0.1:8080',
  walletBaseUrl: 'http://127.0.0.1:8080',
  checkoutBase: 'http://127.0.0.1:8080',
  currencies: ['XOF'],
  signup: 'open',
  topUpInstructions: { any: '', bank: '', mobile_money: '' },
  checkoutCodes: new CheckoutCodes(Buffer.alloc(32)),
  // Each table counts for its own: tests make several.
  get quotas() {
    return heldQuotasWith()
  },
  csvExports: accountQuota(CSV_EXPORTS),
  requestLog: new RequestLog(),
  demoLock: new DemoLock({
    isProduction: false,
    engine: () => {
      throw new Error('development locks no merchant')
    },
  }),
  secondPersonAbove: null,
  secondPersonAboveDay: null,
  outboundAllowPrivate: false,
  nodeHealth: () => null,
  inbox: null,
  logCheck: { health: () => Promise.resolve({ isHealthy: true, oldestAppendMs: 0 }) },
  clusterView: () => null,
  trouble: () => null,
  nodeTrouble: () => null,
}

export const TABLE: readonly Route[] = routeTable(TABLE_PARTS)

export const DOCUMENT: JsonObject = openapiDocument(TABLE, TABLE_PARTS)

/** Each is written in one turn of the loop. */
export const YAML_PARTS: readonly string[] = [...openapiYamlParts(DOCUMENT)]

export const DOCUMENT_YAML: string = YAML_PARTS.join('')
