import { useEffect, useState } from 'react'
import { readUnsavedProject } from './projects.preview.functions.ts'
import type { ProjectPreviewRequest } from './projects.preview.server.ts'
import type { ProjectView } from './projects.schema.ts'

const DEBOUNCE_MS = 120

/**
 * The page of what an editor holds and has not saved yet; until the server has read that, the last one.
 * @param content from the editor; nothing of it is shown on a page for comparison with what is published
 * @param say tells the editor that something could not be shown
 */
export function useUnsavedProject(
  saved: ProjectView,
  request: ProjectPreviewRequest,
  content: Record<string, unknown> | null | undefined,
  say: (message: { kind: 'error'; reason: 'not-shown'; detail: string }) => void,
): ProjectView {
  const [unsaved, setUnsaved] = useState<ProjectView>()
  const isCompared = request.published !== undefined
  useEffect(() => {
    if (!content || isCompared) return
    let isOver = false
    const timer = setTimeout(() => {
      readUnsavedProject({ data: { ...request, content } }).then(
        (view) => isOver || setUnsaved(view),
        (error: unknown) => isOver || say({ kind: 'error', reason: 'not-shown', detail: error instanceof Error ? error.message : '' }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [content, isCompared, request, say])
  return unsaved ?? saved
}
