// The OpenAPI document of this source, without a server.
import { heldQuotas } from '../../api/operator/served-quotas.ts'
import { openapiDocument } from '../../openapi/openapi.ts'
import type { JsonObject } from '../../openapi/openapi-schemas.ts'
import { type ApiParts, routeTable } from '../../openapi/route-table.ts'

/** The document's `servers` entry; clients take their own address. */
const BASE_URL = 'http://127.0.0.1:8080'

/** Returns the document of the routes whose path is wanted. */
export function documentOf(isWanted: (path: string) => boolean): JsonObject {
  // A route table reads the other parts only when it answers requests.
  const parts = { baseUrl: BASE_URL, walletBaseUrl: BASE_URL, quotas: heldQuotas() } as unknown as ApiParts
  return openapiDocument(
    routeTable(parts).filter(({ path }) => isWanted(path)),
    parts,
  )
}
