// The body of an answer as text, in chunks as they arrive.
import { ConnectionError } from '../errors.ts'

/** Opens the answer when the first chunk is read. Throws a ConnectionError when the body is cut. */
export async function* textOf(open: () => Promise<Response>): AsyncGenerator<string, void, undefined> {
  const { body } = await open()
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let isDone = false
  try {
    while (!isDone) {
      const chunk = await reader.read()
      isDone = chunk.done
      const text = decoder.decode(chunk.value, { stream: !isDone })
      if (text !== '') yield text
    }
  } catch (cause) {
    throw new ConnectionError('the answer was cut', { cause, isTimeout: false, idempotencyKey: null })
  } finally {
    if (!isDone) await reader.cancel().catch(ignored)
  }
}

function ignored(): void {
  // A body that is lost cannot be cancelled.
}
