// Every maximum of outgoing calls, by name.

/** Name, TCP and TLS together; a deadline of the call may come first. */
export const CONNECT_TIMEOUT_MS = 10_000
/** With fewer sockets open than this, a connection is kept for the next call to the same place; beyond, it closes with its answer. */
export const SOCKETS_KEPT_MAX = 512
/** How long a kept connection may idle, whatever the other side offers. */
export const IDLE_SOCKET_MS = 4_000
export const IDLE_SOCKET_MAX_MS = 10_000
/** Status line and headers of an answer. */
export const HEAD_BYTES_MAX = 16 * 1024
/** An answer whose body nobody wants gets this long to end, so that its connection can serve again. */
export const UNWANTED_BODY_MS = 1_000
/** Sessions that TLS handshakes are shortened by. */
export const TLS_SESSIONS_MAX = 1_000
/** Connections to one node of the cluster. */
export const NODE_CONNECTIONS_MAX = 256
/** Another node answers a request within this time, or the connection to it counts as broken. */
export const NODE_CALL_TIMEOUT_MS = 15_000
