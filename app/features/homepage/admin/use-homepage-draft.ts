import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { historyQuery } from '../homepage.queries.ts'
import { CONTENT_SCHEMA, type HomeBlock, readBlocks } from '../homepage.schema.ts'
import { keepBoth } from '../merge-blocks.ts'
import { useHistory } from './use-history.ts'

const SAVES_AFTER_MS = 800
const TRIES_AGAIN_MS = 4000

interface Base {
  /** The revision that the blocks were last saved as; null where there is none yet. */
  id: string | null
  blocks: readonly HomeBlock[]
}

export interface Conflict {
  theirs: { id: string; blocks: HomeBlock[] }
}

export const newBlockId = () => `b_${crypto.randomUUID().slice(0, 8)}`

/**
 * The blocks of a page while somebody edits them. Every pause saves a revision on top of the one before. When somebody else saved in
 * between, nothing is saved until it is decided whose is kept; what was typed stays in any case.
 */
export function useHomepageDraft(hubId: string | null, first: { id: string | null; blocks: readonly HomeBlock[] }) {
  const queryClient = useQueryClient()
  const history = useHistory<readonly HomeBlock[]>(first.blocks)
  const blocks = history.now
  const [base, setBase] = useState<Base>(first)
  const [conflict, setConflict] = useState<Conflict>()
  const [problem, setProblem] = useState<AppError | 'offline'>()
  const [isSaving, setSaving] = useState(false)
  const note = useRef<string>('')
  const isChanged = blocks !== base.blocks

  const save = useCallback(async (): Promise<string | undefined> => {
    if (blocks === base.blocks && base.id) return base.id
    setSaving(true)
    try {
      const relationships = {
        ...(base.id ? { parent: { type: 'homepage-revisions' as const, id: base.id } } : {}),
        ...(hubId ? { hub: { type: 'hubs' as const, id: hubId } } : {}),
      }
      const saved = await api.create('homepage-revisions', {
        attributes: { content: { schema: CONTENT_SCHEMA, blocks }, ...(note.current ? { note: note.current } : {}) },
        relationships,
      })
      note.current = ''
      setBase({ id: saved.data.id, blocks })
      setProblem(undefined)
      void queryClient.invalidateQueries({ queryKey: historyQuery(hubId).queryKey })
      return saved.data.id
    } catch (error) {
      const current = isAppError(error, 'stale')
        ? (error.meta?.['current'] as { id: string; content: unknown } | null | undefined)
        : undefined
      if (current) setConflict({ theirs: { id: current.id, blocks: readBlocks(current.content) } })
      else setProblem(isAppError(error) ? error : 'offline')
      return undefined
    } finally {
      setSaving(false)
    }
  }, [blocks, base, hubId, queryClient])

  // A fault of the content waits for the next change; a network that failed is tried again by itself.
  const mayRetry = problem === 'offline' || (problem !== undefined && problem.status >= 500)
  useEffect(() => {
    if (!isChanged || conflict || isSaving) return
    const timer = setTimeout(() => void save(), mayRetry ? TRIES_AGAIN_MS : SAVES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isChanged, conflict, isSaving, save, mayRetry])

  useBlocker({
    shouldBlockFn: () => isChanged && !window.confirm(document.getElementById('leave-question')?.textContent ?? ''),
    enableBeforeUnload: isChanged,
  })

  const settle = (kept: readonly HomeBlock[]) => {
    if (!conflict) return
    setBase({ id: conflict.theirs.id, blocks: conflict.theirs.blocks })
    history.change(kept)
    setConflict(undefined)
  }
  return {
    ...history,
    blocks,
    baseId: base.id,
    isChanged,
    isSaving,
    problem,
    conflict,
    save,
    /** Said of the next revision that is saved. */
    remark: (text: string) => {
      note.current = text
    },
    keepMine: () => settle([...blocks]),
    keepTheirs: () => conflict && settle(conflict.theirs.blocks),
    keepBoth: () => conflict && settle(keepBoth(base.blocks, blocks, conflict.theirs.blocks, newBlockId)),
  }
}
