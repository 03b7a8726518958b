// A POST that is ready to be sent with an Idempotency-Key, and what the rows of such requests share.

import type { Customer, PaidFor } from './bill-callers.ts'
import type { openBiller } from './biller-callers.ts'
import type { Client, Outgoing } from './client.ts'
import type { FirebaseProject } from './firebase-project.ts'
import type { Merchant, TestServer } from './server-fixture.ts'

export interface KeyedRequest {
  readonly client: Client
  readonly path: string
  readonly json?: unknown
  /** In the place of `json`: a form. */
  readonly form?: Pick<Outgoing, 'body' | 'contentType'>
}

/** What all rows share. */
export interface KeyedWorld {
  readonly server: TestServer
  /** With play money. */
  readonly merchant: Merchant
  readonly paidFor: PaidFor
  readonly customer: Customer
  readonly firebase: FirebaseProject
  /** A URL that answers 200. */
  readonly receiver: string
  readonly openBiller: (state: Parameters<typeof openBiller>[1]) => ReturnType<typeof openBiller>
}

/** Makes what the request needs, and the request. */
export type KeyedRow = (world: KeyedWorld) => Promise<KeyedRequest> | KeyedRequest

/** By operation id. */
export type KeyedRows = Readonly<Record<string, KeyedRow>>
