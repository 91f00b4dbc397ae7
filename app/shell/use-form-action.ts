import { useRouter, useSearch } from '@tanstack/react-router'

/**
 * The page's own address as the router writes it, for the `action` of its form. Without it a form is sent to the address as it was
 * typed; where that has a parameter nobody knows, the router mends it in the browser and reads the page anew, and what the form was
 * refused with is lost.
 */
export function useFormAction(): string {
  const router = useRouter()
  const known = useSearch({ strict: false })
  return router.buildLocation({ to: router.latestLocation.pathname, search: () => known }).publicHref
}
