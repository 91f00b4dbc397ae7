import type { ContentLanguage } from '#app/lib/languages.ts'
import { findContentAttribute } from './page-language.ts'
import { useLanguage } from './use-language.ts'

/** The language in which this page's reader reads content: that of the interface, or one that the site added. */
export function useContentLanguage(): ContentLanguage {
  const language = useLanguage()
  return (findContentAttribute() as ContentLanguage | undefined) ?? language
}
