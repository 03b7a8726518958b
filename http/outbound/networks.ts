// Networks of an address. A caller that owns a whole network is counted once for all its addresses.

/** Widths that are counted, narrowest first: IPv4 /32, /24, /16; IPv6 /64, /56, /48, /32. */
export const IPV4_WIDTHS = 3
export const IPV6_WIDTHS = 4

/**
 * Returns the networks of an address as `remoteAddress` formats it, narrowest first. An unknown address is its own
 * network.
 */
export function networksOf(address: string): readonly string[] {
  if (address.endsWith('::/64')) return ipv6Networks(address.slice(0, -'::/64'.length).split(':'))
  const [first, second, third, fourth] = address.split('.')
  if (fourth === undefined) return [address]
  return [address, `${first}.${second}.${third}.0/24`, `${first}.${second}.0.0/16`]
}

/** Returns the network of one caller: IPv4 /24, IPv6 /48 (one site's assignment, RFC 6177). */
export function siteOf(address: string): string {
  const networks = networksOf(address)
  return networks[networks.length === IPV6_WIDTHS ? 2 : 1] ?? address
}

/** Returns the widest counted network: IPv4 /16, IPv6 /32 (one provider's assignment). */
export function providerOf(address: string): string {
  return networksOf(address).at(-1) ?? address
}

function ipv6Networks([first = '0', second = '0', third = '0', fourth = '0']: readonly string[]): readonly string[] {
  const half = (Number.parseInt(fourth, 16) & 0xff00).toString(16)
  return [
    `${first}:${second}:${third}:${fourth}::/64`,
    `${first}:${second}:${third}:${half}::/56`,
    `${first}:${second}:${third}::/48`,
    `${first}:${second}::/32`,
  ]
}
