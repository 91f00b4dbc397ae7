import { LANGUAGES, type Language, matchLanguage, splitLanguage } from '../lib/languages.ts'

export const LANGUAGE_COOKIE = 'current_language'
export const LANGUAGE_QUERY = 'lng'
export const LANGUAGE_COOKIE_SECONDS = 2 * 24 * 60 * 60

export interface LanguageRequest {
  /** Path and query of the address, without host. */
  pathname: string
  search: string | URLSearchParams
  /** Value of the language cookie. */
  cookie: string | undefined
  acceptLanguage?: string | null | undefined
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
  if (isCall(request.pathname)) return { language: preferred(request.acceptLanguage, site.languages) ?? site.locale }
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
  return { language, ...(keep ? { setCookie: languageCookie(language) } : {}) }
}

/** `current_language`, for a Set-Cookie header and for `document.cookie` alike. */
export const languageCookie = (language: Language): string =>
  `${LANGUAGE_COOKIE}=${language}; Max-Age=${LANGUAGE_COOKIE_SECONDS}; Path=/; Secure; SameSite=Strict`

/** The same page in another language, as an address that names it. */
export function inOtherLanguage(pathname: string, language: Language): string {
  const { path } = splitLanguage(pathname)
  return `/${language}${path === '/' ? '' : path}`
}

const isCall = (pathname: string) => pathname.startsWith('/api/') || pathname.startsWith('/_serverFn/')

/** The best of `offered` by an Accept-Language header. */
function preferred(header: string | null | undefined, offered: readonly Language[]): Language | undefined {
  const ranges = (header ?? '').slice(0, 1000).split(',').slice(0, 20)
  const weighed = ranges.map((range) => {
    const [tag = '', ...parameters] = range.split(';')
    const quality = Number(/^\s*q=([\d.]+)\s*$/.exec(parameters.join(';'))?.[1] ?? 1)
    return { tag, quality: Number.isFinite(quality) ? quality : 0 }
  })
  for (const { tag, quality } of weighed.toSorted((a, b) => b.quality - a.quality)) {
    const match = quality > 0 ? matchLanguage(tag, offered) : undefined
    if (match) return match
  }
  return undefined
}

/** Languages of the site in the order in which Parley offers them. */
export const offeredLanguages = (languages: readonly Language[]): Language[] => LANGUAGES.filter((language) => languages.includes(language))
