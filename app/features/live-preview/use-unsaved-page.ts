import { useEffect, useState } from 'react'
import type { PreviewSearch } from './preview-search.schema.ts'

const DEBOUNCE_MS = 120

/**
 * The page of what an editor holds and has not saved yet; until the server has read that, the last one.
 * @param content from the editor; nothing of it is shown on a page for comparison with what is published
 * @param read asks the server for the page; the same function each time
 * @param say tells the editor that something could not be shown
 */
export function useUnsavedPage<View, Request extends Omit<PreviewSearch, 'link'>>(
  saved: View,
  request: Request,
  content: Record<string, unknown> | null | undefined,
  read: (data: Request & { content: Record<string, unknown> }) => Promise<View>,
  say: (message: { kind: 'error'; reason: 'not-shown'; detail: string }) => void,
): View {
  const [unsaved, setUnsaved] = useState<{ view: View }>()
  const isCompared = request.published !== undefined
  useEffect(() => {
    if (!content || isCompared) return
    let isOver = false
    const timer = setTimeout(() => {
      read({ ...request, content }).then(
        (view) => isOver || setUnsaved({ view }),
        (error: unknown) => isOver || say({ kind: 'error', reason: 'not-shown', detail: error instanceof Error ? error.message : '' }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [content, isCompared, read, request, say])
  return unsaved ? unsaved.view : saved
}
