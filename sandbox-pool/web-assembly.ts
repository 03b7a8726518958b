// Types of the parts of WebAssembly that are used here. TypeScript declares them only in its DOM library.

/** Compiled code. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string
}

export interface WasmMemory {
  /** A new buffer after each growth. */
  readonly buffer: ArrayBuffer
}

interface Api {
  compile(bytes: Uint8Array): Promise<WasmModule>
  validate(bytes: Uint8Array): boolean
}

export const { compile, validate } = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly
