import type { ContentLanguage, Language } from '#app/lib/languages.ts'

/** A page's path with a language prefix, unless that is the site's own language. */
export const toLocalisedPath = (path: string, language: ContentLanguage, locale: Language): string =>
  language === locale ? path : `/${language}${path === '/' ? '' : path}`
