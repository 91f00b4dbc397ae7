import { isEmbedPath } from '../lib/embed-path.ts'
import { CONTENT_LANGUAGES, splitLanguage } from '../lib/languages.ts'
import { stringifySearchParams } from '../lib/search-params.ts'
import { BROWSER_ITEM } from '../lib/stored-items.ts'
import type { Site } from '../server/site-directory.ts'
import type { ReadSearch } from './route-search.ts'

/** Paths whose pages depend on the person or the request, plus server functions and the API. */
const PERSONAL_PATHS =
  /^\/((admin|live-preview|embed|api|account|sign-in\/[^/]+|appeals|calendar|report-files|answer-sets|media|answer-files|receipt|l|_serverFn)(\/|$)|projects\/[^/]+\/(dates\.ics|surveys\/[^/]+(\/receipt)?|budgets\/[^/]+(\/(check|receipt|results\.(csv|json)|ballots\/[^/]+))?|events\/[^/]+(\/(receipt|calendar\.ics))?|[^/]+\/(new|receipt|[^/]+\/(reply|report)|contributions\.(csv|json|geojson)|ledger(\.jsonl)?|layers\/[^/]+\.geojson))\/?$)/
/** Paths as our own links write them. Routes also accept capitals and percent encoding, so any page has countless spellings. */
const OWN_SPELLING = new RegExp(String.raw`^(/(${CONTENT_LANGUAGES.join('|')})(?=/|$))?[a-z\d./-]*$`)
/** Parameters with few possible values. A page that reads any other, such as search words, is rendered per request. */
const STORED_PARAMETERS = new Set(['status', 'topic', 'hub', 'area', 'category', 'sort', 'page', 'view', 'bbox', 'only', 'pot'])
/** Cookies that do not rule out a shared page: language and consent are part of its key, a session's holder is looked up, and the others change no page. */
const HARMLESS_COOKIES = /^(current_language|consent|token|known_device|ajs_\w+|intercom-[\w-]+|_ga\w*|_gid)$/

/**
 * Path and query of a page that can be rendered once for everybody, or undefined. The query keeps only the parameters that the page reads,
 * in a fixed order; the language is part of the key.
 */
export function findStorablePath(pathname: string, search: string, readSearch: ReadSearch): string | undefined {
  const { path } = splitLanguage(pathname)
  if (PERSONAL_PATHS.test(path) || !OWN_SPELLING.test(pathname)) return undefined
  if (search === '' || search === '?') return pathname
  const read = Object.entries(readSearch(path, search)).filter(([, value]) => value !== undefined)
  if (read.some(([name]) => !STORED_PARAMETERS.has(name))) return undefined
  return pathname + stringifySearchParams(Object.fromEntries(read.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Pages with a form that is sent once, and pages for frames: all that is one reader's on them is the id of that form and the nonce of the scripts. */
const FORM_PATHS = /^\/(projects\/[^/]+\/((surveys|events)\/[^/]+|[^/]+\/(new|[^/]+\/reply))|embed\/(surveys|projects)\/.+)\/?$/
/** Pages for frames have their language in the query: a frame sends no cookie. */
const LANGUAGE_ALONE = new RegExp(`^\\?lng=(${CONTENT_LANGUAGES.join('|')})$`)

/** Address of a page that is the same for everybody but for the id of its form, or undefined. */
export function findFormPath(pathname: string, search: string): string | undefined {
  const mayAsk = search === '' || (isEmbedPath(pathname) && LANGUAGE_ALONE.test(search))
  return mayAsk && OWN_SPELLING.test(pathname) && FORM_PATHS.test(splitLanguage(pathname).path) ? pathname + search : undefined
}

/** Pages of the administration show nothing before their scripts run, so these do not wait, and offer no other language. */
export const isAdminPath = (path: string): boolean => splitLanguage(path).path.startsWith('/admin')

/** Pages that administrators with the same roles share. All that such a page reads by itself must go through `readPersonal`. */
export const isSharedAdminPage = (path: string): boolean => path === '/admin'

/** Pages that show what this browser has answered or supported. They are rendered for each browser, so they show a new answer at once. */
const ACTIVITY_PATHS = /^\/projects\/[^/]+\/[^/]/

/** True if no cookie says anything of its sender that the page could depend on, but for a session's token. */
export function hasSharedCookies(cookies: Iterable<string>, pathname: string): boolean {
  for (const name of cookies) {
    if (!HARMLESS_COOKIES.test(name) && (name !== BROWSER_ITEM.name || ACTIVITY_PATHS.test(splitLanguage(pathname).path))) return false
  }
  return true
}

/** What a page depends on, except for the version of the site's content. */
export function buildPageKey(site: Pick<Site, 'id' | 'host'>, language: string, consent: string, path: string): string {
  return `${site.id} ${site.host} ${language} ${consent} ${path}`
}
