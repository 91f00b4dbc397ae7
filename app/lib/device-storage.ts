const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Something that Parley stores on a user's device. */
export interface StoredItem {
  /** Key of its texts, `cookies:items.{id}`. */
  id: string
  /** Its name, or the prefix of its name if there is one for each survey, file or page. */
  name: string
  each?: true
  place: 'cookie' | 'local' | 'session' | 'database'
  /** Lifetime in seconds. Without it: until the tab is closed, or until its purpose is done. */
  seconds?: number
  /** Who gets it. */
  for: 'everyone' | 'account' | 'team'
  /** A cookie that scripts on the page may read. */
  readable?: true
  /** Of a cookie; else `Lax`. */
  sameSite?: 'Strict'
  /** The client's specification gives this cookie's name, so it has no prefix. */
  exactName?: true
}

/* Code that stores something on a device takes its name and lifetime from here, and the cookies page tells people about all of it.
   Anything that is not in STORED_ITEMS (`stored-items.ts`) may not be stored; a browser test walks through the product and checks this. */

export const LANGUAGE_ITEM = {
  id: 'language',
  name: 'current_language',
  place: 'cookie',
  seconds: 2 * DAY,
  for: 'everyone',
  readable: true,
  sameSite: 'Strict',
  exactName: true,
} as const
export const CONSENT_ITEM = {
  id: 'consent',
  name: 'consent',
  place: 'cookie',
  seconds: 183 * DAY,
  for: 'everyone',
  readable: true,
} as const
export const API_TOKEN_ITEM = { id: 'api-token', name: 'api-token', place: 'session', for: 'account' } as const

export type Cookie = StoredItem & { place: 'cookie'; seconds: number }

interface CookieSettings {
  /** The survey it belongs to, if there is one cookie for each. */
  of?: string
  /** The site is served over https. */
  https: boolean
  /** Only sent over https, which is what `https` says if nothing else is given. Browsers treat `*.localhost` as secure. */
  secure?: boolean
  /** 0 deletes it. */
  seconds?: number
}

/** Browsers take a cookie with this prefix only from the very host that reads it, over https: no other host of the domain can plant one. */
export const HOST_PREFIX = '__Host-'

/** @param of the survey it belongs to, if there is one cookie for each */
export const buildCookieName = ({ name, exactName }: Pick<StoredItem, 'name' | 'exactName'>, https: boolean, of = ''): string =>
  (https && !exactName ? HOST_PREFIX : '') + name + of

/** A Set-Cookie header; also valid for `document.cookie` if pages may read the cookie. */
export function buildCookieHeader(item: Cookie, value: string, settings: CookieSettings): string {
  const { of, https, secure = https, seconds = item.seconds } = settings
  const marks = `${item.readable ? '' : '; HttpOnly'}${secure ? '; Secure' : ''}; SameSite=${item.sameSite ?? 'Lax'}`
  return `${buildCookieName(item, https, of)}=${value}; Max-Age=${seconds}; Path=/${marks}`
}

export type Service = 'segment' | 'sentry' | 'intercom'

/** Name patterns of what third-party services store, for as long as they say. */
export const SERVICE_NAMES: Record<Service, RegExp> = {
  segment: /^(ajs_|analytics_)/i,
  sentry: /^sentry/i,
  intercom: /^intercom/i,
}
