// The few things of WebAssembly that are used here, typed: the compiler declares them only together with a browser's.

/** Compiled code. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string
}

export interface WasmMemory {
  /** Another one each time that it has grown. */
  readonly buffer: ArrayBuffer
}

interface Api {
  compile(bytes: Uint8Array): Promise<WasmModule>
  validate(bytes: Uint8Array): boolean
}

export const { compile, validate } = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly
