// Which addresses are public: the only place that knows the special ranges of IPv4 and IPv6. Everything that is not
// plainly public unicast is not.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Global unicast as assigned by IANA: whatever lies outside is special today or unassigned. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public by range and yet answered by the cloud that the machine stands in, with its secrets. */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16'])

/** `address` is a literal without brackets. False for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || METADATA.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6)
}
