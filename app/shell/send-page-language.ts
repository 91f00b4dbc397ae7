import { createIsomorphicFn, createMiddleware } from '@tanstack/react-start'
import { readPageLanguage } from './page-language.ts'

const getPageLanguage = createIsomorphicFn()
  .server((): string | undefined => undefined)
  .client((): string | undefined => readPageLanguage())

/** Sends the page's language with every server function call, whose address does not contain it. */
export const sendPageLanguage = createMiddleware({ type: 'function' }).client(({ next }) => {
  const language = getPageLanguage()
  return next(language ? { headers: { 'accept-language': language } } : {})
})
