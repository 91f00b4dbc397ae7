import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { type Draft, getDraftState } from '#app/shell/admin/drafts/draft.ts'

interface DraftStatusProps {
  draft: Pick<
    Draft<unknown>,
    'conflict' | 'isSaving' | 'isChanged' | 'problem' | 'rescued' | 'save' | 'undo' | 'redo' | 'canUndo' | 'canRedo'
  >
  /** Who else is here. */
  children?: ReactNode
}

/** Whether the work is saved, always visible as text, with undo and redo. */
export function DraftStatus({ draft, children }: DraftStatusProps) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const { problem, isChanged, rescued } = draft
  const state = getDraftState(draft)
  useUndoKeys(draft.undo, draft.redo)
  return (
    <>
      <div className="editor-state" data-state={state}>
        <p role={problem || draft.conflict ? 'alert' : 'status'}>{t(`state.${state}`)}</p>
        {problem && isChanged && (
          <Button kind="plain" size="small" type="button" onClick={() => void draft.save()}>
            {t('state.again')}
          </Button>
        )}
        <span className="editor-steps">
          <Button kind="plain" size="small" type="button" disabled={!draft.canUndo} onClick={draft.undo}>
            {t('undo')}
          </Button>
          <Button kind="plain" size="small" type="button" disabled={!draft.canRedo} onClick={draft.redo}>
            {t('redo')}
          </Button>
        </span>
      </div>
      {rescued && <p className="editor-rescued">{t('state.rescued', { when: format.dateTime(rescued) })}</p>}
      {children}
    </>
  )
}

/** Ctrl or ⌘ with Z and Y. A field in use keeps its own undo. */
function useUndoKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      if (key === 'y' || (key === 'z' && event.shiftKey)) redo()
      else if (key === 'z') undo()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [undo, redo])
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && target.matches('input, textarea, select')
