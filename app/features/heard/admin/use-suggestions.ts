import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { forgetHeard } from '../heard.queries.ts'

export type Suggestion = Resource<'theme-suggestions'>

/** A theme of the project, or the title of a new one. */
type Target = { theme: string } | { title: string }

interface Choice {
  suggestions: readonly Suggestion[]
  /** Shown first, if it is still there. */
  first: string | undefined
}

/** Suggestions one after the other. Each decision leads to the next one that is open, and can be taken back, the last one first. */
export function useSuggestions({ suggestions, first }: Choice) {
  const { isBusy, act } = useActs()
  const [chosen, setChosen] = useState(first)
  const [decided, setDecided] = useState<readonly string[]>([])
  const isOpen = ({ state }: Suggestion) => state === 'suggested'
  const found = suggestions.findIndex(({ id }) => id === chosen)
  const at = found >= 0 ? found : Math.max(0, suggestions.findIndex(isOpen))
  const current = suggestions[at]
  const decide = (suggestion: Suggestion, send: () => Promise<unknown>) =>
    act(async () => {
      await send()
      setDecided((now) => [...now, suggestion.id])
      const others = [...suggestions.slice(at + 1), ...suggestions.slice(0, at)]
      setChosen((others.find(isOpen) ?? suggestion).id)
    })
  const takeBack = (id: string) =>
    act(async () => {
      await api.update('theme-suggestions', id, { attributes: { state: 'suggested' } })
      setDecided((now) => now.filter((each) => each !== id))
      setChosen(id)
    })
  return {
    current,
    at,
    isBusy,
    canUndo: decided.length > 0,
    goTo: (next: number) => {
      const suggestion = suggestions[next]
      if (suggestion) setChosen(suggestion.id)
    },
    confirm: (suggestion: Suggestion, confirmedPassages: string[], target: Target) =>
      decide(suggestion, () =>
        api.update('theme-suggestions', suggestion.id, {
          attributes: { state: 'confirmed', confirmedPassages, ...('title' in target && { title: target.title }) },
          ...('theme' in target && { relationships: { theme: { type: 'themes' as const, id: target.theme } } }),
        }),
      ),
    reject: (suggestion: Suggestion) =>
      decide(suggestion, () => api.update('theme-suggestions', suggestion.id, { attributes: { state: 'rejected' } })),
    takeBack,
    undo: () => {
      const last = decided.at(-1)
      return last ? takeBack(last) : Promise.resolve()
    },
  }
}

/** One act at a time, so that a second press does nothing. Whatever came of it, what is shown is read again. */
export function useActs() {
  const queryClient = useQueryClient()
  const { describeError } = useFaultTexts()
  const [isBusy, setBusy] = useState(false)
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
    } finally {
      await forgetHeard(queryClient)
      setBusy(false)
    }
  }
  return { isBusy, act }
}
