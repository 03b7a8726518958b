// The type of plain data: what structured clone copies without loss. Inputs and answers of queries are plain data, so
// that the caller can be another thread or another machine.

/** `T` where it is plain data. A function, class with methods, Map, Set, symbol or bigint becomes `never`, at every depth. */
export type PlainData<T> = T extends string | number | boolean | null | undefined | Uint8Array
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | symbol | bigint
      ? never
      : T extends object
        ? { readonly [Key in keyof T]: PlainData<T[Key]> }
        : never

/** True when a value of `T` can be given where plain data is required. */
export type IsPlain<T> = [T] extends [PlainData<T>] ? true : false
