import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { appearanceHistoryQuery } from '../appearance.queries.ts'
import { type Appearance, readAppearance } from '../appearance.schema.ts'

const SAVES_AFTER_MS = 800

/** The appearance while somebody edits it: every pause saves a revision on top of the one before. */
export function useAppearanceDraft(first: { id: string | null; tokens: Appearance }) {
  const queryClient = useQueryClient()
  const [tokens, setTokens] = useState(first.tokens)
  const [base, setBase] = useState(first)
  const [theirs, setTheirs] = useState<{ id: string; tokens: Appearance }>()
  const [problem, setProblem] = useState<AppError | 'offline'>()
  const [isSaving, setSaving] = useState(false)
  const isChanged = tokens !== base.tokens

  const save = useCallback(async (): Promise<string | undefined> => {
    if (tokens === base.tokens && base.id) return base.id
    setSaving(true)
    try {
      const saved = await api.create('appearance-revisions', {
        attributes: { tokens: { ...tokens } },
        relationships: base.id ? { parent: { type: 'appearance-revisions' as const, id: base.id } } : {},
      })
      setBase({ id: saved.data.id, tokens })
      setProblem(undefined)
      void queryClient.invalidateQueries({ queryKey: appearanceHistoryQuery.queryKey })
      return saved.data.id
    } catch (error) {
      const current = isAppError(error, 'stale')
        ? (error.meta?.['current'] as { id: string; content: unknown } | null | undefined)
        : undefined
      if (current) setTheirs({ id: current.id, tokens: readAppearance(current.content) })
      else setProblem(isAppError(error) ? error : 'offline')
      return undefined
    } finally {
      setSaving(false)
    }
  }, [tokens, base, queryClient])

  useEffect(() => {
    if (!isChanged || theirs || isSaving) return
    const timer = setTimeout(() => void save(), SAVES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isChanged, theirs, isSaving, save])

  const settle = (kept: Appearance) => {
    if (!theirs) return
    setBase(theirs)
    setTokens(kept)
    setTheirs(undefined)
  }
  return {
    tokens,
    change: (next: Partial<Appearance>) => setTokens((now) => ({ ...now, ...next })),
    save,
    isChanged,
    isSaving,
    problem,
    theirs: theirs?.tokens,
    keepMine: () => settle({ ...tokens }),
    keepTheirs: () => theirs && settle(theirs.tokens),
  }
}
