import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PlainFinding, PlainPassage } from '#app/lib/plain-words/plain-passage.ts'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { jargonListsQuery } from './jargon-lists.queries.ts'

/** Nothing is checked before typing has stopped for so long. */
const PAUSE_MS = 800

/**
 * What could be plainer in these texts; undefined until they were checked. The checks are loaded when they are first needed, and run after a
 * pause in typing, once the browser is idle.
 */
export function usePlainFindings(passages: readonly PlainPassage[], language: ContentLanguage): readonly PlainFinding[] | undefined {
  // As text: the passages are listed anew each time something is drawn.
  const settled = useDebouncedValue(JSON.stringify(passages), PAUSE_MS)
  const { data } = useQuery(jargonListsQuery)
  const [found, setFound] = useState<readonly PlainFinding[]>()
  useEffect(() => {
    if (!data) return undefined
    let isCurrent = true
    const jargon = data.data.find((list) => list.language === language)?.entries ?? []
    const check = () =>
      void import('#app/lib/plain-words/check-plain.ts').then(
        ({ checkPlain }) => isCurrent && setFound(checkPlain(JSON.parse(settled) as PlainPassage[], language, jargon)),
        // The texts can be written without it.
        () => undefined,
      )
    const cancel = runWhenIdle(check)
    return () => {
      isCurrent = false
      cancel()
    }
  }, [settled, data, language])
  return found
}

/** Safari has no idle callbacks. @returns a function that cancels it */
function runWhenIdle(run: () => void): () => void {
  if (typeof window.requestIdleCallback === 'function') {
    const id = window.requestIdleCallback(run, { timeout: 2000 })
    return () => window.cancelIdleCallback(id)
  }
  const timer = setTimeout(run)
  return () => clearTimeout(timer)
}
