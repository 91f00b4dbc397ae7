import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/** False in the server's markup, true after hydration. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
