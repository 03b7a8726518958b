// Remote address of a request, for counting: the connection's peer, or what a trusted proxy reports. A proxy's report
// never grants or denies access.
import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the caller's address. `proxyHops` is the number of trusted proxies. Each proxy appends the address that it
 * saw to X-Forwarded-For. Entries that a client wrote stand further left and are ignored.
 */
export function remoteAddress(peer: string, forwardedFor: string, proxyHops: number): string {
  if (proxyHops === 0) return networkOf(peer)
  return networkOf(forwardedAddress(forwardedFor, proxyHops) ?? peer)
}

/** Returns whether the address is 127.0.0.0/8 or ::1 in any spelling. False for an unknown peer. */
export function isLoopback(peer: string): boolean {
  const address = networkOf(peer)
  return isIPv4(address) ? address.startsWith('127.') : isIPv6(peer) && expanded(peer).join(':') === '0:0:0:0:0:0:0:1'
}

/**
 * Returns whether the request comes from loopback or a private network (RFC 1918, RFC 4193). With `proxyHops` it
 * judges the forwarded address, and a request without one is not trusted, because the header may be hidden. Without
 * `proxyHops`, a request that names a proxy is not trusted.
 */
export function isFromPrivateNetwork(
  peer: string,
  head: { readonly forwardedFor: string; readonly proxied: boolean },
  proxyHops: number,
): boolean {
  if (proxyHops === 0) return head.forwardedFor === '' && !head.proxied && isPrivate(peer)
  return isPrivate(forwardedAddress(head.forwardedFor, proxyHops) ?? '')
}

/**
 * Returns whether an unknown proxy may share the connection between clients. It names a proxy although `proxyHops` is
 * 0, or lacks entries of the configured proxies. A request with hidden header lines looks the same. A smuggled
 * request on such a connection harms others.
 */
export function isThroughUnknownProxy(head: { readonly forwardedFor: string; readonly proxied: boolean }, proxyHops: number): boolean {
  if (proxyHops === 0) return head.proxied || head.forwardedFor !== ''
  return forwardedAddress(head.forwardedFor, proxyHops) === null
}

const PRIVATE_IPV4 = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.)/
/** fc00::/7 */
const UNIQUE_LOCAL = /^f[cd][0-9a-f]{2}$/

function isPrivate(address: string): boolean {
  const network = networkOf(address)
  if (isIPv4(network)) return PRIVATE_IPV4.test(network)
  return isLoopback(address) || (isIPv6(address) && UNIQUE_LOCAL.test(expanded(address)[0] ?? ''))
}

/** Returns the entry of the outermost trusted proxy; null when there are fewer entries than proxies. */
function forwardedAddress(forwardedFor: string, proxyHops: number): string | null {
  const seen = forwardedFor.split(',').map((part) => part.trim())
  const address = seen[seen.length - proxyHops]
  return address === undefined || address === '' ? null : withoutPort(address)
}

const IPV4_AND_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
const IPV6_IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/

/** Some proxies write `address:port` or `[v6]:port`. A port that stayed would make all their clients one. */
function withoutPort(entry: string): string {
  return IPV4_AND_PORT.exec(entry)?.[1] ?? IPV6_IN_BRACKETS.exec(entry)?.[1] ?? entry
}

/** Same as `isLoopback`, for a host name as in a URL or in HOST. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
}

const MAPPED = /^(?:0{0,4}:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i
const MAPPED_IN_HEX = /^(?:0{1,4}:){5}ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * Returns the address to count. An IPv6 address counts as its /64, which one host owns. An IPv4-mapped address is an
 * IPv4 address.
 */
function networkOf(address: string): string {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const [, plain] = MAPPED.exec(address) ?? []
  if (plain !== undefined) return plain
  const groups = expanded(address)
  const [, high, low] = MAPPED_IN_HEX.exec(groups.join(':')) ?? []
  if (high !== undefined && low !== undefined) return dotted(Number.parseInt(high, 16), Number.parseInt(low, 16))
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** Returns all eight groups without leading zeros. A zone (`%eth0`) is dropped. */
function expanded(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: tail === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16))
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
