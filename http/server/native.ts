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
