import { buildCookieHeader, LANGUAGE_ITEM } from '../lib/device-storage.ts'
import { LANGUAGES, type Language, matchLanguage, splitLanguage } from '../lib/languages.ts'

export const LANGUAGE_COOKIE = LANGUAGE_ITEM.name
export const LANGUAGE_QUERY = 'lng'

export interface LanguageRequest {
  /** Path and query of the address, without host. */
  pathname: string
  search: string | URLSearchParams
  /** Value of the language cookie. */
  cookie: string | undefined
  /** The best of the site's languages by the Accept-Language header: calls are answered in it. */
  preferred?: Language | undefined
  /** The Sec-Fetch-Site header: a request from another site comes without our strict cookie, though there may be one. */
  fetchSite?: string | null | undefined
  site: { locale: Language; languages: readonly Language[] }
}

export interface DetectedLanguage {
  language: Language
  /** Where to go instead: the address names a language that the site does not speak. */
  redirect?: string
  /** A Set-Cookie header, where the browser's cookie is to change. */
  setCookie?: string
}

/**
 * The language a request is answered in: the address's prefix, else `?lng=`, else the cookie, else the site's own, which is kept in
 * the cookie at the first visit. Calls of the API and of server functions say theirs in Accept-Language and keep nothing.
 */
export function detectLanguage(request: LanguageRequest): DetectedLanguage {
  const { site } = request
  if (isApiCall(request.pathname)) return { language: request.preferred ?? site.locale }
  const { language: prefix, path } = splitLanguage(request.pathname)
  const query = new URLSearchParams(request.search)
  if (prefix && !site.languages.includes(prefix)) {
    return { language: site.locale, redirect: `${path.replace(/^\/+/, '/')}${query.size ? `?${query}` : ''}` }
  }
  const chosen = prefix ?? matchLanguage(query.get(LANGUAGE_QUERY), site.languages)
  const kept = matchLanguage(request.cookie, site.languages)
  const language = chosen ?? kept ?? site.locale
  const mayHideCookie = request.fetchSite === 'cross-site' || request.fetchSite === 'same-site'
  // A preview is looked at in any language; its editor goes on in their own.
  const isPreview = path.startsWith('/live-preview/')
  const keep = isPreview ? false : chosen ? request.cookie !== chosen : !kept && !mayHideCookie
  return { language, ...(keep ? { setCookie: createLanguageCookie(language) } : {}) }
}

/** `current_language`, for a Set-Cookie header and for `document.cookie` alike. */
export const createLanguageCookie = (language: Language): string =>
  buildCookieHeader(LANGUAGE_ITEM, language, { secure: true, readable: true, sameSite: 'Strict' })

/** The same page in another language, as an address that names it. */
export function toPathInLanguage(pathname: string, language: Language): string {
  const { path } = splitLanguage(pathname)
  return `/${language}${path === '/' ? '' : path}`
}

const isApiCall = (pathname: string) => pathname.startsWith('/api/') || pathname.startsWith('/_serverFn/')

/** Languages of the site in the order in which Parley offers them. */
export const orderLanguages = (languages: readonly Language[]): Language[] => LANGUAGES.filter((language) => languages.includes(language))
