import { type Language, matchLanguage } from '../lib/languages.ts'
import type { Viewer } from '../server/auth/viewer.ts'
import { LANGUAGE_QUERY } from '../shell/language.ts'
import { isAdminPath } from './page-key.ts'

interface AdminRequest {
  pathname: string
  search: string | URLSearchParams
  viewer: Viewer
  site: { languages: readonly Language[] }
}

/**
 * The language of a page of the administration: the one that the address asks for, for this view alone, else the account's. Undefined for
 * other pages and for visitors, and if the site does not offer the account's: then it is the language of the site's pages.
 */
export function findAdminLanguage({ pathname, search, viewer, site }: AdminRequest): Language | undefined {
  if (!isAdminPath(pathname) || viewer.kind === 'visitor') return undefined
  const asked = matchLanguage(new URLSearchParams(search).get(LANGUAGE_QUERY), site.languages)
  return asked ?? site.languages.find((language) => language === viewer.locale)
}
