import { getFormatter } from '#app/lib/format.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'

/** Days of the site's calendar come as noon in UTC, and are read there, so that no zone moves them. */
export function useReachFormat() {
  const site = useSite()
  return getFormatter({ language: useLanguage(), timeZone: 'UTC', region: site.region })
}
