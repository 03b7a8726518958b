// Decides which addresses are public. Only this file knows the special ranges of IPv4 and IPv6. Everything except
// plain public unicast is private.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Global unicast as assigned by IANA. Everything outside is special or unassigned. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Addresses in public ranges that serve a cloud's metadata, which holds secrets. */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16'])

/** Returns whether the address is public. `address` is a literal without brackets; false for anything else. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || METADATA.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6)
}
