// Base of the resources: they share the transport.
import type { Transport } from '../transport.ts'

export abstract class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}
