import { isEmbedPath } from '../lib/embed-path.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { getDirection } from '../lib/added-languages.ts'
import { getLanguageName } from '../lib/language-names.ts'
import {
  type ContentLanguage,
  DEFAULT_LANGUAGE,
  isInterfaceLanguage,
  type Language,
  LANGUAGES,
  type LanguagesOfSite,
  listContentLanguages,
  matchLanguage,
  splitLanguage,
} from '../lib/languages.ts'
import { findPreferredLanguage } from '../server/accept-language.ts'
import { getTranslator } from '../server/i18n.ts'
import { LANGUAGE_QUERY, toPathInLanguage } from '../shell/language.ts'

interface OfferRequest {
  pathname: string
  search: string
  /** Value of the language cookie: somebody who has one was asked before, or chose. */
  cookie: string | undefined
  acceptLanguage: string | null | undefined
  site: LanguagesOfSite & { locale: ContentLanguage }
}

/** Pages that are not for participants. */
const OTHER_PAGES = /^\/(admin|live-preview|api|_serverFn)(\/|$)/

/** The language that a first visitor's browser prefers to the page's, if the site has it or added it and the address names none. */
export function findOfferedLanguage({ pathname, search, cookie, acceptLanguage, site }: OfferRequest): ContentLanguage | undefined {
  const known = listContentLanguages(site)
  if (!acceptLanguage || cookie !== undefined || known.length < 2) return undefined
  const { language, path } = splitLanguage(pathname)
  if (language || OTHER_PAGES.test(path) || isEmbedPath(pathname) || new URLSearchParams(search).has(LANGUAGE_QUERY)) return undefined
  const preferred = findPreferredLanguage(acceptLanguage, known)
  return preferred === site.locale ? undefined : preferred
}

/**
 * The page with an offer, at its top, to read it in another language; unchanged if none is offered. An added language has no sentence of its own: the
 * page's own language says that it is there, and its name is the link. React leaves elements of a body alone that it did not write, so the
 * offer works without a script and costs none.
 */
export function addLanguageOffer(html: string, path: string, offered: ContentLanguage | undefined): string {
  if (!offered) return html
  const [pathname = '', query] = path.split('?', 2)
  const href = toPathInLanguage(pathname, offered) + (query === undefined ? '' : `?${query}`)
  const [attributes, text, link] = isInterfaceLanguage(offered) ? describeInItself(offered) : describeAdded(html, offered)
  const offer = `<aside class="language-offer"${attributes}><p>${escapeHtml(text)} <a href="${escapeHtml(href)}"${link}</a></p></aside>`
  return html.replace(/<body[^>]*>/, (body) => `${body}${offer}`)
}

/** Attributes of the offer, its sentence, and its link from the end of its address. */
type OfferParts = readonly [attributes: string, text: string, link: string]

function describeInItself(offered: Language): OfferParts {
  const t = getTranslator(offered, 'common')
  const attributes = ` lang="${offered}" aria-label="${escapeHtml(t('language-offer.label'))}"`
  return [attributes, t('language-offer.text'), `>${escapeHtml(t('language-offer.link'))}`]
}

function describeAdded(html: string, offered: ContentLanguage): OfferParts {
  const t = getTranslator(matchLanguage(/<html[^>]* lang="([^"]+)"/.exec(html)?.[1], LANGUAGES) ?? DEFAULT_LANGUAGE, 'common')
  const direction = getDirection(offered)
  const link = ` lang="${offered}" hreflang="${offered}"${direction ? ` dir="${direction}"` : ''}>${escapeHtml(getLanguageName(offered))}`
  return [` aria-label="${escapeHtml(t('language-offer.label'))}"`, t('language-offer.added'), link]
}
