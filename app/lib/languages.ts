/** Parley's languages, in display order, each by the name its speakers give it. `locales/README.md` says how to add one. */
export const LANGUAGE_NAMES = {
  en: 'English',
  'fr-CA': 'Français',
  cy: 'Cymraeg',
} as const
export type Language = keyof typeof LANGUAGE_NAMES
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly Language[]
export const DEFAULT_LANGUAGE: Language = 'en'

/** The supported language for a tag such as `fr`, `FR-ca` or `cy-GB`, or undefined. */
export function matchLanguage(tag: string | undefined | null, offered: readonly Language[] = LANGUAGES): Language | undefined {
  if (!tag) return undefined
  const wanted = tag.trim().toLowerCase()
  const exact = offered.find((language) => language.toLowerCase() === wanted)
  if (exact) return exact
  const base = wanted.split('-')[0]
  return offered.find((language) => language.toLowerCase().split('-')[0] === base)
}

/** Splits `/fr-CA/projects` into its language and the path that the routes know. */
export function splitLanguage(pathname: string): { language: Language | undefined; path: string } {
  const [, first = '', ...rest] = pathname.split('/')
  const language = LANGUAGES.find((candidate) => candidate === first)
  return language ? { language, path: `/${rest.join('/')}` } : { language: undefined, path: pathname }
}
