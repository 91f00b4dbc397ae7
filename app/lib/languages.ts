import { ADDED_LANGUAGES, type AddedLanguage } from './added-languages.ts'

/** Parley's languages, in display order, each by the name its speakers give it. `locales/README.md` says how to add one. */
export const LANGUAGE_NAMES = {
  en: 'English',
  'fr-CA': 'Français',
  cy: 'Cymraeg',
} as const
/** A language of the interface: it has texts, formats and plural forms. */
export type Language = keyof typeof LANGUAGE_NAMES
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly Language[]
export const DEFAULT_LANGUAGE: Language = 'en'

/** A language in which content may be written: one of the interface, or one that a site added. */
export type ContentLanguage = Language | AddedLanguage
export const CONTENT_LANGUAGES: readonly ContentLanguage[] = [...LANGUAGES, ...ADDED_LANGUAGES]

export interface LanguagesOfSite {
  languages: readonly Language[]
  addedLanguages: readonly AddedLanguage[]
}

/** All languages of a site's content: those of its interface, then those that it added. */
export const listContentLanguages = ({ languages, addedLanguages }: LanguagesOfSite): ContentLanguage[] => [...languages, ...addedLanguages]

export const isInterfaceLanguage = (language: ContentLanguage): language is Language => Object.hasOwn(LANGUAGE_NAMES, language)

/** The language of the interface for somebody who reads content in `language`: the same if the interface has it, else the site's own. */
export const toInterfaceLanguage = (language: ContentLanguage, locale: Language): Language =>
  isInterfaceLanguage(language) ? language : locale

/** How browsers name languages that are known here by another tag. */
const OTHER_TAGS: ReadonlyMap<string, AddedLanguage> = new Map([
  ['nn', 'nb'],
  ['no', 'nb'],
  ['tl', 'fil'],
  ['zh-tw', 'zh-Hant'],
  ['zh-hk', 'zh-Hant'],
  ['zh-mo', 'zh-Hant'],
  ['zh-cn', 'zh-Hans'],
  ['zh-sg', 'zh-Hans'],
])

/** The supported language for a tag such as `fr`, `FR-ca` or `cy-GB`, or undefined. */
export function matchLanguage(tag: string | undefined | null): Language | undefined
export function matchLanguage<L extends ContentLanguage>(tag: string | undefined | null, offered: readonly L[]): L | undefined
export function matchLanguage(
  tag: string | undefined | null,
  offered: readonly ContentLanguage[] = LANGUAGES,
): ContentLanguage | undefined {
  if (!tag) return undefined
  const wanted = tag.trim().toLowerCase()
  const exact = offered.find((language) => language.toLowerCase() === (OTHER_TAGS.get(wanted) ?? wanted).toLowerCase())
  if (exact) return exact
  const base = wanted.split('-')[0]
  return offered.find((language) => language.toLowerCase().split('-')[0] === base)
}

/** Splits `/fr-CA/projects` into its language and the path that the routes know. */
export function splitLanguage(pathname: string): { language: ContentLanguage | undefined; path: string } {
  const [, first = '', ...rest] = pathname.split('/')
  const language = CONTENT_LANGUAGES.find((candidate) => candidate === first)
  return language ? { language, path: `/${rest.join('/')}` } : { language: undefined, path: pathname }
}
