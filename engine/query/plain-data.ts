// The type of plain data: values that structured clone copies without loss. Queries take and return plain data, so
// the caller can be another thread or another machine.

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

/** True when a value of `T` is plain data. */
export type IsPlain<T> = [T] extends [PlainData<T>] ? true : false
