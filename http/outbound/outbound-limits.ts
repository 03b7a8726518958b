// Every maximum of outgoing calls, by name.

/** Name, TCP and TLS together; a deadline of the call may come first. */
export const CONNECT_TIMEOUT_MS = 10_000
/** Below this number of open sockets, connections are kept for reuse; beyond, they close after the response. */
export const SOCKETS_KEPT_MAX = 512
/** Maximum idle time of a kept connection, even when the other side offers more. */
export const IDLE_SOCKET_MS = 4_000
export const IDLE_SOCKET_MAX_MS = 10_000
/** Status line and headers of a response. */
export const HEAD_BYTES_MAX = 16 * 1024
/** Maximum time to read an unused body, so that its connection can be reused. */
export const UNWANTED_BODY_MS = 1_000
/** Cached TLS sessions, which shorten handshakes. */
export const TLS_SESSIONS_MAX = 1_000
/** Connections to one node of the cluster. */
export const NODE_CONNECTIONS_MAX = 256
/** Maximum time of another node's response; beyond, the connection counts as broken. Longer than a node takes to answer 503. */
export const NODE_CALL_TIMEOUT_MS = 20_000
/** Body of another node's response. Exports are answered by each node itself. */
export const NODE_ANSWER_BYTES_MAX = 32 * 1024 * 1024
/** Connection to another node: a machine that is off answers nothing at all. */
export const NODE_CONNECT_TIMEOUT_MS = 2_000
