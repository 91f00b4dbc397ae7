import { getFormatter } from '#app/lib/format.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'

/** Calendar days of the site come as noon UTC and are formatted in UTC, so that no time zone shifts them. */
export function useReachFormat() {
  const site = useSite()
  return getFormatter({ language: useLanguage(), timeZone: 'UTC', region: site.region })
}
