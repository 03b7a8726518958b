// A body of another content type than JSON that is read as JSON would be: a file of payments, lines of JSON.

export interface BodyFile {
  /** Returns the value that the schema of the body checks, or a fault. Its bytes are valid until it returns. */
  readonly read: (bytes: Uint8Array) => unknown
  /** For the OpenAPI document. */
  readonly example: string
}
