import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Ctx } from '../context.ts'

/** How many times as much may come from an address that the site lists: a library, a school, a call centre. */
export const SHARED_FACTOR = 20

/** An address or a network: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
export interface Network {
  address: string
  bits: number
}

/** @returns undefined for anything else */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return undefined
  const whole = family === 4 ? 32 : 128
  if (bits === undefined) return { address, bits: whole }
  return /^\d{1,3}$/.test(bits) && Number(bits) <= whole ? { address, bits: Number(bits) } : undefined
}

/** So many people share it that listing it would switch the limits off. */
export const isTooWide = ({ address, bits }: Network): boolean => bits < (isIPv4(address) ? 16 : 32)

/** By the setting, which is the same array until the site is read again. */
const lists = new WeakMap<readonly string[], BlockList>()

function openList(networks: readonly string[]): BlockList {
  const known = lists.get(networks)
  if (known) return known
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (network) list.addSubnet(network.address, network.bits, isIPv4(network.address) ? 'ipv4' : 'ipv6')
  }
  lists.set(networks, list)
  return list
}

/** Whether the site lists the sender's address as one that many people share. */
export function isSharedAddress({ site, address }: Pick<Ctx, 'site' | 'address'>): boolean {
  if (address === null || site.sharedNetworks.length === 0) return false
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(plain) !== 0 && openList(site.sharedNetworks).check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}
