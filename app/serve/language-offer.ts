import { isEmbedPath } from '../lib/embed-path.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { type Language, splitLanguage } from '../lib/languages.ts'
import { findPreferredLanguage } from '../server/accept-language.ts'
import { getTranslator } from '../server/i18n.ts'
import { LANGUAGE_QUERY, toPathInLanguage } from '../shell/language.ts'

interface OfferRequest {
  pathname: string
  search: string
  /** Value of the language cookie: somebody who has one was asked before, or chose. */
  cookie: string | undefined
  acceptLanguage: string | null | undefined
  site: { locale: Language; languages: readonly Language[] }
}

/** Pages that are not for participants. */
const OTHER_PAGES = /^\/(admin|live-preview|api|_serverFn)(\/|$)/

/** The language that a first visitor's browser prefers to the page's, if the site has it and the address names none. */
export function findOfferedLanguage({ pathname, search, cookie, acceptLanguage, site }: OfferRequest): Language | undefined {
  if (!acceptLanguage || cookie !== undefined || site.languages.length < 2) return undefined
  const { language, path } = splitLanguage(pathname)
  if (language || OTHER_PAGES.test(path) || isEmbedPath(pathname) || new URLSearchParams(search).has(LANGUAGE_QUERY)) return undefined
  const preferred = findPreferredLanguage(acceptLanguage, site.languages)
  return preferred === site.locale ? undefined : preferred
}

/**
 * The page with an offer, at its top, to read it in another language; unchanged if none is offered. React leaves elements of a body alone that it did not write, so the
 * offer works without a script and costs none.
 */
export function addLanguageOffer(html: string, path: string, offered: Language | undefined): string {
  if (!offered) return html
  const t = getTranslator(offered, 'common')
  const [pathname = '', query] = path.split('?', 2)
  const href = toPathInLanguage(pathname, offered) + (query === undefined ? '' : `?${query}`)
  const offer = `<aside class="language-offer" lang="${offered}" aria-label="${escapeHtml(t('language-offer.label'))}"><p>${escapeHtml(t('language-offer.text'))} <a href="${escapeHtml(href)}">${escapeHtml(t('language-offer.link'))}</a></p></aside>`
  return html.replace(/<body[^>]*>/, (body) => `${body}${offer}`)
}
