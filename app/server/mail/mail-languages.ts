import { type ContentLanguage, type Language, listContentLanguages, matchLanguage, toInterfaceLanguage } from '../../lib/languages.ts'
import type { Site } from '../site-directory.ts'

export interface MailLanguages {
  /** Of the mail's own words. */
  language: Language
  /** Of what it quotes from the site, and of the pages it leads to. */
  contentLanguage: ContentLanguage
}

/** The languages of a mail to somebody: the site's own if it no longer has theirs. */
export function chooseMailLanguages(site: Pick<Site, 'locale' | 'languages' | 'addedLanguages'>, wanted: ContentLanguage): MailLanguages {
  const contentLanguage = matchLanguage(wanted, listContentLanguages(site)) ?? site.locale
  return { language: toInterfaceLanguage(contentLanguage, site.locale), contentLanguage }
}
