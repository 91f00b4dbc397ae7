import { useRouter, useSearch } from '@tanstack/react-router'

/**
 * The page's own address as the router writes it, for the `action` of its form. Without it, a form is sent to the address as typed; if that
 * has an unknown parameter, the router corrects it in the browser and reloads the page, and the form's faults are lost.
 */
export function useFormAction(): string {
  const router = useRouter()
  const known = useSearch({ strict: false })
  return router.buildLocation({ to: router.latestLocation.pathname, search: () => known }).publicHref
}
