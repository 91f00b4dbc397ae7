import { splitLanguage } from '../lib/languages.ts'
import type { Site } from '../server/site-directory.ts'

/** Paths whose pages are made for one person or one request; server functions and the API besides. */
const PERSONAL_PATHS =
  /^\/((admin|live-preview|embed|api|account|media|answer-files|receipt|_serverFn)(\/|$)|projects\/[^/]+\/surveys\/[^/]+(\/receipt)?\/?$)/
/** Parameters that choose what a participant page shows. A page with any other, save the ignored, is rendered for its own request. */
const PAGE_PARAMETERS = new Set(['lng', 'status', 'topic', 'hub', 'sort', 'page', 'view'])
/** Put into links by mail programs, advertisers and analytics: nothing on a page depends on them. */
const IGNORED_PARAMETERS = /^(utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|ref)$/
const LONGEST_VALUE = 60
/** Cookies that change no page, save ours for language and consent, which the key holds; and those that third parties set for themselves. */
const HARMLESS_COOKIES = /^(current_language|consent|ajs_\w+|intercom-[\w-]+|_ga\w*|_gid)$/

/** Path and query of a page as it is rendered and kept for everybody, or undefined where it is not one of those. */
export function storablePath(pathname: string, search: string): string | undefined {
  if (PERSONAL_PATHS.test(splitLanguage(pathname).path)) return undefined
  if (search === '' || search === '?') return pathname
  const kept: [string, string][] = []
  for (const [name, value] of new URLSearchParams(search)) {
    if (IGNORED_PARAMETERS.test(name)) continue
    if (!PAGE_PARAMETERS.has(name) || value.length > LONGEST_VALUE) return undefined
    kept.push([name, value])
  }
  if (!kept.length) return pathname
  kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `${pathname}?${new URLSearchParams(kept)}`
}

/** Whether the visitor carries nothing that a page could depend on. */
export function isAnonymous(cookies: Iterable<string>): boolean {
  for (const name of cookies) if (!HARMLESS_COOKIES.test(name)) return false
  return true
}

/** Two requests with one key are answered with the same bytes. */
export function pageKey(site: Pick<Site, 'id' | 'host' | 'contentVersion'>, language: string, consent: string, path: string): string {
  return `${site.id} ${site.contentVersion} ${site.host} ${language} ${consent} ${path}`
}
