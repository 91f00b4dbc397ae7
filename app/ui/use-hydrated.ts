import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

/** Whether scripts run here by now: false in the server's markup, true once the page is taken over. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
