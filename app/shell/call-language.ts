import { createMiddleware } from '@tanstack/react-start'

/** Says the page's language with every call of a server function: the address of the call does not name it. */
export const callLanguage = createMiddleware({ type: 'function' }).client(({ next }) =>
  next({ headers: { 'accept-language': document.documentElement.lang } }),
)
