// The forms of the dashboard, by their paths: which operation of the API each calls.

export class FormTable {
  readonly #operations = new Map<string, string | null>()

  /** `path` is the pattern after the environment, as `/charges/{token}/refund`; null for a form that changes no data. */
  add(path: string, operationId: string | null): void {
    this.#operations.set(path, operationId)
  }

  /** Returns the operation of the form at a path; null for one that needs none, and for an unknown one. */
  operationOf(path: string): string | null {
    const pattern = this.#operations.has(path) ? path : Array.from(this.#operations.keys()).find((form) => isLike(path, form))
    return pattern === undefined ? null : (this.#operations.get(pattern) ?? null)
  }
}

function isLike(path: string, pattern: string): boolean {
  const [parts, like] = [path.split('/'), pattern.split('/')]
  return parts.length === like.length && like.every((part, at) => part === parts[at] || part.startsWith('{'))
}
