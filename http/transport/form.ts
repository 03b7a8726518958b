// Bodies that HTML forms send: `application/x-www-form-urlencoded`, in UTF-8 because our pages are (URL Standard, section 5).

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i

export function isFormType(contentType: string): boolean {
  return FORM_TYPE.test(contentType)
}

/** The named fields as text, the first of each name; what is absent stays absent, what nobody asked for is dropped. Never fails. */
export function parseForm(bytes: Uint8Array, names: readonly string[]): Readonly<Record<string, string>> {
  const sent = new URLSearchParams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = sent.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
