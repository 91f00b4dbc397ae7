import { buildCookieHeader, buildCookieName, type Cookie, HOST_PREFIX, type StoredItem } from '../lib/device-storage.ts'
import { STORED_ITEMS } from '../lib/stored-items.ts'
import { readCookies } from './request-facts.ts'

/** What a browser sends, under the names that the code knows. */
export interface SiteCookies {
  values: Map<string, string>
  /** Cookies that the browser still has under the name of before an upgrade. */
  former: FormerCookie[]
}

interface FormerCookie {
  item: Cookie
  of: string
  value: string
}

interface SiteFacts {
  https: boolean
  /** Cookies without the prefix still count. */
  takesFormerNames: boolean
}

/**
 * Over https our cookies have the prefix `__Host-`, but for those that the client's specification names. Without it another host of the same
 * domain could have set them, so they do not count, except for some time after the upgrade that brought the prefix.
 */
export function readSiteCookies(header: string | null | undefined, { https, takesFormerNames }: SiteFacts): SiteCookies {
  const sent = readCookies(header)
  if (!https) return { values: sent, former: [] }
  const values = new Map<string, string>()
  const former: FormerCookie[] = []
  for (const [name, value] of sent) {
    const bare = name.startsWith(HOST_PREFIX) ? name.slice(HOST_PREFIX.length) : undefined
    if (bare !== undefined && findPrefixedItem(bare)) values.set(bare, value)
    else if (!findPrefixedItem(name)) values.set(name, value)
  }
  if (!takesFormerNames) return { values, former }
  for (const [name, value] of sent) {
    const item = findPrefixedItem(name)
    const of = name.slice(item?.name.length)
    if (!item || values.has(name) || !SUBJECT.test(of) || !VALUE.test(value)) continue
    values.set(name, value)
    former.push({ item, of, value })
  }
  return { values, former }
}

export const buildCookieLine = ({ values }: SiteCookies): string => [...values].map(([name, value]) => `${name}=${value}`).join('; ')

/** Gives former cookies their present name, unless the response itself sets or deletes them. */
export function renameFormerCookies(headers: Headers, former: readonly FormerCookie[]): void {
  const set = new Set(headers.getSetCookie().map((header) => header.split('=', 1)[0]))
  for (const { item, of, value } of former) {
    if (!set.has(buildCookieName(item, true, of))) headers.append('set-cookie', buildCookieHeader(item, value, { of, https: true }))
    headers.append('set-cookie', buildCookieHeader(item, '', { of, https: false, secure: true, seconds: 0 }))
  }
}

const SUBJECT = /^[\w-]*$/
/** What a cookie may hold without quotes. */
const VALUE = /^[\w!#$%&'()*+./:<=>?@[\]^`{|}~-]*$/

const PREFIXED_ITEMS = STORED_ITEMS.filter((item: StoredItem) => item.place === 'cookie' && !item.exactName) as readonly Cookie[]

const findPrefixedItem = (name: string): Cookie | undefined =>
  PREFIXED_ITEMS.find((item) => (item.each ? name.startsWith(item.name) : name === item.name))
