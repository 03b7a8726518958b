// Where a request comes from, for counting: the peer of the connection, or what a trusted proxy says of it. Nobody is let
// in or kept out by what a proxy says; whether the peer is this machine itself is another question.
import { isIPv4, isIPv6 } from 'node:net'

/**
 * `peer` and `forwardedFor` as they came; `proxyHops` is how many proxies of ours stand in front. Each of them adds the
 * address that it saw at the end of X-Forwarded-For, so what a client wrote there itself stands further left and is
 * never looked at.
 */
export function remoteAddress(peer: string, forwardedFor: string, proxyHops: number): string {
  if (proxyHops === 0) return networkOf(peer)
  return networkOf(forwardedAddress(forwardedFor, proxyHops) ?? peer)
}

/** 127.0.0.0/8 and ::1, however they are written. Where the peer is unknown the answer is no. */
export function isLoopback(peer: string): boolean {
  const address = networkOf(peer)
  return isIPv4(address) ? address.startsWith('127.') : isIPv6(peer) && expanded(peer).join(':') === '0:0:0:0:0:0:0:1'
}

/**
 * Whether the request comes from loopback or a private network (RFC 1918, RFC 4193). With `proxyHops` the forwarded
 * address is judged, and a request without one is not believed: a header that the proxy wrote may have been hidden. Without
 * `proxyHops`, a request that names any proxy is not believed either.
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
 * Whether the connection may carry requests of several clients through a proxy that the settings do not describe: it names a
 * proxy although `proxyHops` is 0, or it lacks the entries that `proxyHops` proxies write. The second is also what a request
 * looks like whose last header lines are hidden. On such a connection a body that is taken for a request harms others.
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

/** The entry that the outermost of our proxies added; null when there are fewer entries than proxies. */
function forwardedAddress(forwardedFor: string, proxyHops: number): string | null {
  const seen = forwardedFor.split(',').map((part) => part.trim())
  const address = seen[seen.length - proxyHops]
  return address === undefined || address === '' ? null : address
}

/** isLoopback for the name of a host, as in a URL or in HOST. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
}

const MAPPED = /^(?:0{0,4}:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i
const MAPPED_IN_HEX = /^(?:0{1,4}:){5}ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/** Whoever has one IPv6 address has a whole /64 of them; an IPv4 address written as IPv6 is an IPv4 address. */
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

/** All eight groups, without leading zeros; a zone (`%eth0`) is dropped. */
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
