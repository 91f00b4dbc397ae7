import { createIsomorphicFn } from '@tanstack/react-start'
import { getStartContext } from '@tanstack/start-storage-context'

/** Nonce of a page rendered for one person; undefined for a page that is stored for everybody (its scripts are listed by hash). */
export const cspNonce = createIsomorphicFn()
  .server((): string | undefined => {
    const context = getStartContext({ throwIfNotFound: false })?.contextAfterGlobalMiddlewares as { nonce?: string } | undefined
    return context?.nonce
  })
  .client((): string | undefined => undefined)
