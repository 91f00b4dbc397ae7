import { buildCookieHeader, LANGUAGE_ITEM } from '../lib/device-storage.ts'
import { isEmbedPath } from '../lib/embed-path.ts'
import type { AddedLanguage } from '../lib/added-languages.ts'
import { type ContentLanguage, LANGUAGES, type Language, listContentLanguages, matchLanguage, splitLanguage } from '../lib/languages.ts'

export const LANGUAGE_COOKIE = LANGUAGE_ITEM.name
export const LANGUAGE_QUERY = 'lng'

export interface LanguageRequest {
  /** Path and query of the address, without host. */
  pathname: string
  search: string | URLSearchParams
  /** Value of the language cookie. */
  cookie: string | undefined
  /** The best of the site's languages according to Accept-Language; used for calls. */
  preferred?: ContentLanguage | undefined
  /** The Sec-Fetch-Site header: a cross-site request comes without our strict cookie even if there is one. */
  fetchSite?: string | null | undefined
  site: { locale: Language; languages: readonly Language[]; addedLanguages: readonly AddedLanguage[] }
}

export interface DetectedLanguage {
  /** Of the content: the interface may not have it. */
  language: ContentLanguage
  /** Where to redirect if the address names a language that the site does not offer. */
  redirect?: string
  /** A Set-Cookie header, if the cookie must change. */
  setCookie?: string
}

/**
 * The language of the response: the address's prefix, else `?lng=`, else the cookie, else the site's own, which is stored in the cookie on
 * the first visit. Calls to the API and to server functions use Accept-Language and store nothing.
 */
export function detectLanguage(request: LanguageRequest): DetectedLanguage {
  const { site } = request
  if (isCall(request.pathname)) return { language: request.preferred ?? site.locale }
  const { language: prefix, path } = splitLanguage(request.pathname)
  const query = new URLSearchParams(request.search)
  const offered = listContentLanguages(site)
  if (prefix && !offered.includes(prefix)) {
    return { language: site.locale, redirect: `${path.replace(/^\/+/, '/')}${query.size ? `?${query}` : ''}` }
  }
  const chosen = prefix ?? matchLanguage(query.get(LANGUAGE_QUERY), offered)
  const kept = matchLanguage(request.cookie, offered)
  const language = chosen ?? kept ?? site.locale
  const mayHideCookie = request.fetchSite === 'cross-site' || request.fetchSite === 'same-site'
  // An editor can preview any language without changing their own, and pages in frames set no cookie.
  const keepsNothing = path.startsWith('/live-preview/') || isEmbedPath(path)
  const keep = keepsNothing ? false : chosen ? request.cookie !== chosen : !kept && !mayHideCookie
  return { language, ...(keep ? { setCookie: createLanguageCookie(language) } : {}) }
}

/** The `current_language` cookie, both for a Set-Cookie header and for `document.cookie`. */
export const createLanguageCookie = (language: ContentLanguage): string => buildCookieHeader(LANGUAGE_ITEM, language, { https: true })

/** The same page with the language in its address. */
export function toPathInLanguage(pathname: string, language: ContentLanguage): string {
  const { path } = splitLanguage(pathname)
  return `/${language}${path === '/' ? '' : path}`
}

/** Calls to the API and to server functions. */
export const isCall = (pathname: string) => pathname.startsWith('/api/') || pathname.startsWith('/_serverFn/')

/** The site's languages in Parley's display order. */
export const orderLanguages = (languages: readonly Language[]): Language[] => LANGUAGES.filter((language) => languages.includes(language))
