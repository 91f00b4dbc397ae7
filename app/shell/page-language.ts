import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'

/** The language in which this page's reader reads content, in the browser: the page itself is in the language of the interface. */
export const readPageLanguage = (): string => document.documentElement.dataset['content'] ?? document.documentElement.lang

/** For the attribute `data-content` of the page; undefined if the interface has the reader's language. */
export const findContentAttribute = createIsomorphicFn()
  .server((): string | undefined => {
    const ctx = getGlobalStartContext()?.ctx
    return ctx && ctx.contentLanguage !== ctx.language ? ctx.contentLanguage : undefined
  })
  .client((): string | undefined => document.documentElement.dataset['content'])
