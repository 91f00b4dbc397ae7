import { useTranslation } from 'react-i18next'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Definition } from '../../surveys.schema.ts'
import type { SurveyEditing } from './use-survey-draft.ts'

interface SurveyVersionsProps {
  /** Newest first; the newest one is what people answer. */
  versions: readonly { id: string; number: number; publishedAt: string; definition: Definition }[]
  editing: Pick<SurveyEditing, 'content' | 'changeDefinition' | 'undo'>
  onClose: () => void
}

/** Published versions of a survey, each of which can be made the draft again. */
export function SurveyVersions({ versions, editing, onClose }: SurveyVersionsProps) {
  const { t } = useTranslation('survey-admin')
  const { t: editor } = useTranslation('editor')
  const format = useFormat()
  const restore = ({ number, definition }: SurveyVersionsProps['versions'][number]) => {
    editing.changeDefinition(() => definition)
    onClose()
    showToast({ text: t('versions.restored', { number }), action: { label: editor('undo'), onAction: editing.undo } })
  }
  return (
    <Dialog title={t('versions.title')} isOpen onClose={onClose} closeLabel={editor('close')} size="large">
      <p>{t('versions.text')}</p>
      <ol className="revisions">
        {versions.map((version, index) => (
          <li key={version.id} className="revision">
            <p>{t('versions.one', { number: version.number, when: format.dateTime(version.publishedAt) })}</p>
            {index === 0 && (
              <p className="revision-facts">
                <Badge tone="ok">{editor('history.published')}</Badge>
              </p>
            )}
            <span className="row">
              {isJsonEqual(version.definition, editing.content.definition) ? (
                <span className="meta">{t('versions.same')}</span>
              ) : (
                <Button
                  kind="secondary"
                  size="small"
                  type="button"
                  aria-label={t('versions.restore', { number: version.number })}
                  onClick={() => restore(version)}
                >
                  {editor('history.restore')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
