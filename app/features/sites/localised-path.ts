import type { Language } from '#app/lib/languages.ts'

/** A page's path with its language in front, or without where that is the site's own. */
export const toLocalisedPath = (path: string, language: Language, locale: Language): string =>
  language === locale ? path : `/${language}${path === '/' ? '' : path}`
