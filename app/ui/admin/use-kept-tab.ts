import { useCallback, useState } from 'react'
import type { ContentLanguage } from '#app/lib/languages.ts'

/** What the address keeps after `#`: a tab, a language, or both, in any order and between slashes. */
const readKept = (): string[] => window.location.hash.slice(1).split('/').filter(Boolean)

/**
 * One of `ids`, kept in the address after `#`, so that a reload or a copied address opens it. The router does not take part: choosing
 * a tab loads nothing, and asks nobody whether to leave unsaved changes.
 */
function useKept<Id extends string>(ids: readonly Id[], usual: Id | undefined): [selected: Id | undefined, select: (id: Id) => void] {
  const [selected, setSelected] = useState(() => ids.find((id) => readKept().includes(id)) ?? usual)
  const select = useCallback(
    (id: Id) => {
      setSelected(id)
      const others = readKept().filter((kept) => !ids.some((one) => one === kept))
      // The router replaces the method of this history; the prototype's own only changes the address.
      History.prototype.replaceState.call(window.history, window.history.state, '', `#${[...others, id].join('/')}`)
    },
    [ids],
  )
  return [selected, select]
}

/** The selected tab; the usual one, by default the first, unless the address names another. */
export const useKeptTab = (ids: readonly string[], usual = ids[0]) => useKept(ids, usual)

/** The language that texts are written in; the site's own unless the address names another. */
export function useKeptLanguage(
  languages: readonly ContentLanguage[],
  source: ContentLanguage,
): [ContentLanguage, (language: ContentLanguage) => void] {
  const [language = source, select] = useKept(languages, source)
  return [language, select]
}
