import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { forgetContributions } from '../contributions.queries.ts'
import { UNDO_SHOWN_MS } from '../moderation/undoable.schema.ts'

/** Tells what was decided, and offers for ten seconds to take it back. The last decision is taken back first. */
export function useUndoOffer(): (text: string, decisionIds: readonly string[]) => void {
  const { t } = useTranslation('moderation-admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const undo = async (decisionIds: readonly string[]) => {
    const refusals: unknown[] = []
    for (const id of decisionIds.toReversed()) await api.remove('moderation-decisions', id).catch((error: unknown) => refusals.push(error))
    const undone = decisionIds.length - refusals.length
    if (undone > 0) showToast({ text: t('undo.done', { count: undone, number: format.number(undone) }) })
    const count = refusals.length
    const unexpected = refusals.find((error) => !isAppError(error) || error.code !== 'conflict')
    if (unexpected) showToast({ kind: 'error', text: describeError(unexpected) })
    else if (count > 0) showToast({ kind: 'error', text: t('undo.refused', { count, number: format.number(count) }) })
    await forgetContributions(queryClient)
  }
  return (text, decisionIds) =>
    showToast({ text, action: { label: t('undo.title'), onAction: () => undo(decisionIds), visibleMs: UNDO_SHOWN_MS } })
}
