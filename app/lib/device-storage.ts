const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Something that Parley keeps on the device of whoever uses it. */
export interface StoredItem {
  /** Key of its texts, `cookies:items.{id}`. */
  id: string
  /** Its name; what the name begins with where there is one for each survey, file or page. */
  name: string
  each?: true
  place: 'cookie' | 'local' | 'session'
  /** How long it stays. Without it: until the tab is closed, or until what it is for is done. */
  seconds?: number
  /** Who gets it. */
  for: 'everyone' | 'account' | 'team'
}

/*
 * Whatever keeps something on a device takes its name and lifetime from here, and the page about cookies tells people all of it. What is
 * not in STORED_ITEMS (`stored-items.ts`) may not be kept; a walk through the product in a browser holds the two together.
 */

export const LANGUAGE_ITEM = { id: 'language', name: 'current_language', place: 'cookie', seconds: 2 * DAY, for: 'everyone' } as const
export const CONSENT_ITEM = { id: 'consent', name: 'consent', place: 'cookie', seconds: 183 * DAY, for: 'everyone' } as const
export const API_TOKEN_ITEM = { id: 'api-token', name: 'api-token', place: 'session', for: 'account' } as const

type Cookie = StoredItem & { place: 'cookie'; seconds: number }

interface CookieSettings {
  /** The survey whose cookie it is, where there is one for each. */
  of?: string
  /** Never travels without encryption. Browsers take this machine's own sites, `*.localhost`, as encrypted. */
  secure: boolean
  /** Scripts of pages read it. */
  readable?: boolean
  /** 0 takes it away. */
  seconds?: number
  sameSite?: 'Lax' | 'Strict'
}

/** A Set-Cookie header, which `document.cookie` takes too where pages read the cookie. */
export function buildCookieHeader(item: Cookie, value: string, settings: CookieSettings): string {
  const { of = '', secure, readable = false, seconds = item.seconds, sameSite = 'Lax' } = settings
  const marks = `${readable ? '' : '; HttpOnly'}${secure ? '; Secure' : ''}; SameSite=${sameSite}`
  return `${item.name}${of}=${value}; Max-Age=${seconds}; Path=/${marks}`
}

export type Service = 'segment' | 'sentry' | 'intercom'

/** What other companies' services keep under names of their own, for as long as they say. */
export const SERVICE_NAMES: Record<Service, RegExp> = {
  segment: /^(ajs_|analytics_)/i,
  sentry: /^sentry/i,
  intercom: /^intercom/i,
}
