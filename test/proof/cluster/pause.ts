// Time that a round takes on purpose: how long a fault lasts, and how long clients work before and after it.
export function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs))
}
