import type { i18n } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { type ContentLanguage, type Language, matchLanguage, splitLanguage } from '#app/lib/languages.ts'
import { UNPREFIXED_PATHS } from './language-rewrite.ts'
import { readPageLanguage } from './page-language.ts'
import { toPathInLanguage, LANGUAGE_COOKIE, LANGUAGE_QUERY, createLanguageCookie } from './language.ts'

const DETECTION_ORDER = ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag']

/**
 * The browser's part of language detection, after hydration in the page's language. A missing cookie is set from the site's locale, so
 * later detectors only matter if cookies are refused. In that case, and if the cookie was not sent because of a link from another site, the
 * page is reopened under the address that names the language.
 */
export function settleLanguage(i18n: i18n, locale: Language, languages: readonly ContentLanguage[]): void {
  const { pathname, search, hash } = window.location
  if (splitLanguage(pathname).language || UNPREFIXED_PATHS.test(pathname)) return
  if (!document.cookie.split('; ').some((cookie) => cookie.startsWith(`${LANGUAGE_COOKIE}=`)))
    document.cookie = createLanguageCookie(locale)
  const wanted = detectLanguages(i18n)
    .map((tag) => matchLanguage(tag, languages))
    .find((language) => language !== undefined)
  if (wanted && wanted !== readPageLanguage()) window.location.replace(`${toPathInLanguage(pathname, wanted)}${search}${hash}`)
}

/** Every detected language, best first. */
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
