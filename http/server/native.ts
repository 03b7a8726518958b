// Loads uWebSockets.js with this project's maxima. It is the only importer of the package.
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { setNativeMaxima } from './native-maxima.ts'

export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket }
export type NativeMethod = 'get' | 'post' | 'put' | 'del' | 'head' | 'any' | 'options'

/** Functions of the binding that its types lack. */
interface Untyped {
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
  /** `silent`: no `uWebSockets` header in answers. */
  _cfg(setting: string): void
}

type Listen = (host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void) => void

/** `shared` sets SO_REUSEPORT, so that several apps of this process listen on one port. It needs a port other than 0. */
export type PortUse = 'exclusive' | 'shared'

// Loaded by `require`, because a static import would run before `setNativeMaxima` in the bundled file.
setNativeMaxima()
const native = await import('uWebSockets.js')
const { _cfg, LIBUS_LISTEN_EXCLUSIVE_PORT } = native as unknown as Untyped
const LISTEN_SHARED = 0

export function newApp(): TemplatedApp {
  _cfg('silent')
  return native.App()
}

/** Resolves with the listening socket; null when the address is in use or not of this machine. */
export function listenOn(app: TemplatedApp, host: string, port: number, use: PortUse): Promise<us_listen_socket | null> {
  const listen = app.listen.bind(app) as unknown as Listen
  return new Promise((resolve) => {
    listen(host, port, use === 'exclusive' ? LIBUS_LISTEN_EXCLUSIVE_PORT : LISTEN_SHARED, (socket) =>
      resolve(socket === false ? null : socket),
    )
  })
}

export function portOf(socket: us_listen_socket): number {
  return native.us_socket_local_port(socket as never)
}

export function closeListening(socket: us_listen_socket): void {
  native.us_listen_socket_close(socket)
}

/** The native layer answers an `Expect` of this case by itself. */
const CONTINUE = '100-continue'

/**
 * Sends `100 Continue` where the native layer does not: the case of letters does not count (RFC 9110, section 10.1.1), and a client that
 * waits, as Java's with `100-Continue`, would send no body until its connection closes. Any final response may follow.
 */
export function answerExpectation(response: HttpResponse, expectation: string): void {
  if (expectation === CONTINUE || expectation.toLowerCase() !== CONTINUE) return
  // The native layer writes one status line. The head of the final response therefore follows as if it were a header.
  response.writeStatus('100 Continue\r\n')
  response.writeStatus = (bytes): HttpResponse => {
    const head = typeof bytes === 'string' ? bytes : Buffer.from(bytes as Uint8Array).toString()
    const at = head.lastIndexOf(': ')
    return response.writeHeader(`HTTP/1.1 ${head.slice(0, at)}`, head.slice(at + 2))
  }
}
