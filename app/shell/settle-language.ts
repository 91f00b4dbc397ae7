import type { i18n } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { type Language, matchLanguage, splitLanguage } from '#app/lib/languages.ts'
import { UNPREFIXED_PATHS } from './language-rewrite.ts'
import { toPathInLanguage, LANGUAGE_COOKIE, LANGUAGE_QUERY, createLanguageCookie } from './language.ts'

const DETECTION_ORDER = ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag']

/**
 * The browser's side of detection, after the page has come to life in the language it was sent in. The cookie is set from the site's
 * locale where there is none, so what follows it in the order counts only where cookies are refused; then, and where the cookie could
 * not be sent along by a link on another site, the page is opened again under the address that names the language.
 */
export function settleLanguage(i18n: i18n, locale: Language, languages: readonly Language[]): void {
  const { pathname, search, hash } = window.location
  if (splitLanguage(pathname).language || UNPREFIXED_PATHS.test(pathname)) return
  if (!document.cookie.split('; ').some((cookie) => cookie.startsWith(`${LANGUAGE_COOKIE}=`)))
    document.cookie = createLanguageCookie(locale)
  const wanted = detectLanguages(i18n)
    .map((tag) => matchLanguage(tag, languages))
    .find((language) => language !== undefined)
  if (wanted && wanted !== document.documentElement.lang) window.location.replace(`${toPathInLanguage(pathname, wanted)}${search}${hash}`)
}

/** All that is found, best first. */
function detectLanguages(i18n: i18n): readonly string[] {
  const found = new LanguageDetector(i18n.services, {
    order: DETECTION_ORDER,
    lookupQuerystring: LANGUAGE_QUERY,
    lookupCookie: LANGUAGE_COOKIE,
    lookupLocalStorage: LANGUAGE_COOKIE,
    lookupSessionStorage: LANGUAGE_COOKIE,
    caches: [],
  }).detect()
  return typeof found === 'string' ? [found] : (found ?? [])
}
