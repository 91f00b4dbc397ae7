import { createIsomorphicFn, createMiddleware } from '@tanstack/react-start'

const getPageLanguage = createIsomorphicFn()
  .server((): string | undefined => undefined)
  .client((): string | undefined => document.documentElement.lang)

/** Says the page's language with every call of a server function: the address of the call does not name it. */
export const sendPageLanguage = createMiddleware({ type: 'function' }).client(({ next }) => {
  const language = getPageLanguage()
  return next(language ? { headers: { 'accept-language': language } } : {})
})
