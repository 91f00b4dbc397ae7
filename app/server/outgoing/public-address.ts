import { BlockList, isIP } from 'node:net'

/** IPv4 networks outside the public internet: this network, private, carrier-grade NAT, loopback, link-local, documentation, multicast … */
const PRIVATE_IPV4_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Exceptions within 2000::/3, the only public IPv6 range: documentation, and forms that embed an IPv4 address. */
const PRIVATE_IPV6_NETWORKS = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const privateNetworks = new BlockList()
for (const [network, prefix] of PRIVATE_IPV4_NETWORKS) privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of PRIVATE_IPV6_NETWORKS) privateNetworks.addSubnet(network, prefix, 'ipv6')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** True if a request may be sent to this address. @param allowLoopback a development setting: this machine counts as public */
export function isPublicAddress(address: string, allowLoopback = false): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (allowLoopback && loopback.check(address, type)) return true
  if (privateNetworks.check(address, type)) return false
  return family === 4 || globalUnicast.check(address, 'ipv6')
}
