// One line of standard input after a prompt on standard error.
import type { TextStream } from './output.ts'

const buffered = { text: '', isEnded: false }

/** Resolves with the next line, without its end; with what there is at the end of the input. */
export async function ask(prompt: string, stdin: NodeJS.ReadStream, stderr: TextStream): Promise<string> {
  stderr.write(prompt)
  while (!buffered.text.includes('\n') && !buffered.isEnded) {
    const chunk = await nextChunk(stdin)
    if (chunk === null) buffered.isEnded = true
    else buffered.text += chunk
  }
  stdin.pause()
  const end = buffered.text.indexOf('\n')
  const line = end === -1 ? buffered.text : buffered.text.slice(0, end)
  buffered.text = end === -1 ? '' : buffered.text.slice(end + 1)
  return line.replace(/\r$/, '')
}

function nextChunk(stdin: NodeJS.ReadStream): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const end = (result: () => void): void => {
      stdin.off('data', onData).off('end', onEnd).off('error', onError)
      result()
    }
    const onData = (chunk: Buffer | string): void => end(() => resolve(String(chunk)))
    const onEnd = (): void => end(() => resolve(null))
    const onError = (error: Error): void => end(() => reject(error))
    stdin.on('data', onData).on('end', onEnd).on('error', onError)
    stdin.resume()
  })
}
