import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import type { useHomepageDraft } from './use-homepage-draft.ts'

/** Whether the work is safe, in words that stay in view. */
export function SaveState({
  draft,
}: {
  draft: Pick<ReturnType<typeof useHomepageDraft>, 'conflict' | 'isSaving' | 'isChanged' | 'problem' | 'save'>
}) {
  const { t } = useTranslation('editor')
  const { conflict, isSaving, isChanged, problem } = draft
  const state = conflict
    ? 'conflict'
    : isSaving
      ? 'saving'
      : problem && isChanged
        ? problem === 'offline'
          ? 'offline'
          : 'refused'
        : isChanged
          ? 'unsaved'
          : 'saved'
  return (
    <div className="editor-state" data-state={state}>
      <p role={problem || conflict ? 'alert' : 'status'}>{t(`state.${state}`)}</p>
      {problem && isChanged && (
        <Button kind="plain" size="small" type="button" onClick={() => void draft.save()}>
          {t('state.again')}
        </Button>
      )}
    </div>
  )
}
