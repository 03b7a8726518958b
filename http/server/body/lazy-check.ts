// The check of a schema, compiled when it is first needed, and once for all routes that have the schema.
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { Schema } from '../../../engine/contract/schema.ts'

const compiledChecks = new WeakMap<Schema, TypeCheck<Schema>>()

export class LazyCheck {
  readonly #schema: Schema
  #compiled: TypeCheck<Schema> | null = null

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** The first use takes about a millisecond. */
  get compiled(): TypeCheck<Schema> {
    this.#compiled ??= compiledChecks.get(this.#schema) ?? compile(this.#schema)
    return this.#compiled
  }
}

function compile(schema: Schema): TypeCheck<Schema> {
  const check = TypeCompiler.Compile(schema)
  compiledChecks.set(schema, check)
  return check
}
