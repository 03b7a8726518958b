// The routes of the merchant API that the command can call. The build puts in the rows, made from the OpenAPI document of its version.

/** How a value is given: as it is, a whole number, true or false, texts separated by commas, or JSON. */
export type FieldType = 'text' | 'integer' | 'boolean' | 'list' | 'json'

export interface OperationField {
  readonly type: FieldType
  readonly about: string
}

export interface OperationRow {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly summary: string
  /** Placeholders of the path, in their order. */
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, OperationField>>
  /** Members of the body. */
  readonly fields: Readonly<Record<string, OperationField>>
  readonly isList: boolean
  /** The list can be read as CSV. */
  readonly hasCsv: boolean
}

declare const CAURI_OPERATIONS: readonly OperationRow[]

export const OPERATIONS: readonly OperationRow[] = CAURI_OPERATIONS
