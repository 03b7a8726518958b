// One line of standard input after a prompt on standard error.
import type { TextStream } from './output.ts'

export interface PromptParts {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: TextStream
  readonly signal: AbortSignal
  /** True: what is typed at a terminal is not shown. */
  readonly isHidden: boolean
}

interface Buffered {
  text: string
  isEnded: boolean
}

/** What was read beyond the last line, by standard input. */
const buffers = new WeakMap<NodeJS.ReadStream, Buffered>()

/** Ctrl+C: a terminal in raw mode sends it as a character instead of a signal. */
const INTERRUPT = '\x03'
/** Ends of a line that is typed in raw mode: Enter, or Ctrl+D. */
const RAW_END = /[\r\n\x04]/
const BACKSPACES = ['\b', '\x7f']

/** Resolves with the next line, without its end; with what there is at the end of the input. Rejects when the signal is aborted. */
export async function ask(prompt: string, { stdin, stderr, signal, isHidden }: PromptParts): Promise<string> {
  const isRaw = isHidden && stdin.isTTY === true
  // The mode comes before the prompt: a character that is typed between them would be shown.
  if (isRaw) stdin.setRawMode(true)
  stderr.write(prompt)
  try {
    const line = await nextLine(stdin, signal, isRaw ? RAW_END : /\n/)
    return isRaw ? withoutErased(line) : line.replace(/\r$/, '')
  } finally {
    if (isRaw) {
      stdin.setRawMode(false)
      stderr.write('\n')
    }
    stdin.pause()
  }
}

async function nextLine(stdin: NodeJS.ReadStream, signal: AbortSignal, end: RegExp): Promise<string> {
  const buffered = buffers.get(stdin) ?? { text: '', isEnded: false }
  buffers.set(stdin, buffered)
  while (!end.test(buffered.text) && !buffered.isEnded) {
    const chunk = await nextChunk(stdin, signal)
    if (chunk === null) buffered.isEnded = true
    else if (chunk.includes(INTERRUPT)) process.kill(process.pid, 'SIGINT')
    else buffered.text += chunk
  }
  const at = buffered.text.search(end)
  const line = at === -1 ? buffered.text : buffered.text.slice(0, at)
  buffered.text = at === -1 ? '' : buffered.text.slice(at + 1)
  return line
}

/** Applies the backspaces. */
function withoutErased(line: string): string {
  const kept: string[] = []
  for (const character of line) {
    if (BACKSPACES.includes(character)) kept.pop()
    else kept.push(character)
  }
  return kept.join('')
}

function nextChunk(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const end = (result: () => void): void => {
      stdin.off('data', onData).off('end', onEnd).off('error', onError)
      signal.removeEventListener('abort', onAbort)
      result()
    }
    const onData = (chunk: Buffer | string): void => end(() => resolve(String(chunk)))
    const onEnd = (): void => end(() => resolve(null))
    const onError = (error: Error): void => end(() => reject(error))
    const onAbort = (): void => end(() => reject(signal.reason))
    if (signal.aborted) return reject(signal.reason)
    stdin.on('data', onData).on('end', onEnd).on('error', onError)
    signal.addEventListener('abort', onAbort, { once: true })
    stdin.resume()
  })
}
