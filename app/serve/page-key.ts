import { splitLanguage } from '../lib/languages.ts'
import { stringifySearchParams } from '../lib/search-params.ts'
import type { Site } from '../server/site-directory.ts'
import type { ReadSearch } from './route-search.ts'

/** Paths whose pages are made for one person or one request; server functions and the API besides. */
const PERSONAL_PATHS =
  /^\/((admin|live-preview|embed|api|account|media|answer-files|receipt|_serverFn)(\/|$)|projects\/[^/]+\/surveys\/[^/]+(\/receipt)?\/?$)/
/** Paths as our links write them. A route also takes capitals and percent signs, of which one page has any number of spellings. */
const OWN_SPELLING = /^(\/(en|fr-CA|cy)(?=\/|$))?[a-z\d./-]*$/
/** Parameters with few values. A page that reads any other, such as words to search for, is rendered for its own request. */
const STORED_PARAMETERS = new Set(['status', 'topic', 'hub', 'area', 'sort', 'page', 'view'])
/** Cookies that change no page, save ours for language and consent, which the key holds; and those that third parties set for themselves. */
const HARMLESS_COOKIES = /^(current_language|consent|known_device|ajs_\w+|intercom-[\w-]+|_ga\w*|_gid)$/

/**
 * Path and query of a page as it is rendered and kept for everybody, or undefined where it is not one of those. Of the query it holds
 * what the page reads, in one order; the language is the key's.
 */
export function findStorablePath(pathname: string, search: string, readSearch: ReadSearch): string | undefined {
  const { path } = splitLanguage(pathname)
  if (PERSONAL_PATHS.test(path) || !OWN_SPELLING.test(pathname)) return undefined
  if (search === '' || search === '?') return pathname
  const read = Object.entries(readSearch(path, search)).filter(([, value]) => value !== undefined)
  if (read.some(([name]) => !STORED_PARAMETERS.has(name))) return undefined
  return pathname + stringifySearchParams(Object.fromEntries(read.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Whether the visitor carries nothing that a page could depend on. */
export function isAnonymous(cookies: Iterable<string>): boolean {
  for (const name of cookies) if (!HARMLESS_COOKIES.test(name)) return false
  return true
}

/** Two requests with one key are answered with the same bytes. */
export function buildPageKey(site: Pick<Site, 'id' | 'host' | 'contentVersion'>, language: string, consent: string, path: string): string {
  return `${site.id} ${site.contentVersion} ${site.host} ${language} ${consent} ${path}`
}
