import type { LocationRewrite } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { getRequestUrl } from '@tanstack/react-start/server'
import { splitLanguage } from '#app/lib/languages.ts'

const getCurrentPath = createIsomorphicFn()
  .server(() => getRequestUrl().pathname)
  .client(() => window.location.pathname)

/** The language in the address itself, e.g. `fr-CA` for `/fr-CA/projects`; undefined without a prefix. */
export const getAddressLanguage = () => splitLanguage(getCurrentPath()).language

export const UNPREFIXED_PATHS = /^\/(admin|live-preview|embed|api)(\/|$)/

/** Removes the language prefix before routes are matched and adds the current one to every link. */
export function createLanguageRewrite(): LocationRewrite {
  return {
    input: ({ url }) => {
      const { language, path } = splitLanguage(url.pathname)
      if (!language) return undefined
      url.pathname = path
      return url
    },
    output: ({ url }) => {
      if (UNPREFIXED_PATHS.test(url.pathname) || splitLanguage(url.pathname).language) return undefined
      const language = getAddressLanguage()
      if (!language) return undefined
      url.pathname = url.pathname === '/' ? `/${language}` : `/${language}${url.pathname}`
      return url
    },
  }
}

/** A path of this site as the current page links to it, for plain links and forms: with the address's language prefix, if it has one. */
export function toLocalHref(path: string): string {
  if (UNPREFIXED_PATHS.test(path) || splitLanguage(path).language) return path
  const language = getAddressLanguage()
  if (!language) return path
  return path === '/' ? `/${language}` : `/${language}${path}`
}
