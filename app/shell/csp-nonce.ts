import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'

/** Nonce of a page rendered for one person; undefined for a stored page, whose scripts are listed by hash. */
export const getCspNonce = createIsomorphicFn()
  .server((): string | undefined => getGlobalStartContext()?.nonce)
  .client((): string | undefined => undefined)
