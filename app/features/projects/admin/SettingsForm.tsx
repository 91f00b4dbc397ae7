import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { groupFaultsByField } from '#app/lib/validate.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { SaveBar, type SaveState } from '#app/ui/admin/save-bar.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProjectSettings } from './ProjectSettings.tsx'
import type { useProjectSettings } from './use-project-settings.ts'

interface SettingsFormProps {
  editing: ReturnType<typeof useProjectSettings>
  /** May change the slug, which others may have shared. */
  mayMove: boolean
}

/** The project's settings, which act at once when they are saved. */
export function SettingsForm({ editing, mayMove }: SettingsFormProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const { t: errors } = useTranslation('errors')
  const { listFaults } = useFaultTexts()
  const { settings, change, changed, theirs, error, failed, isSaving } = editing
  const faults = error ? groupFaultsByField(error.faults) : {}
  const messageOf = (field: string) => {
    const fault = faults[field]
    return fault && errors(...toFaultTitle(fault))
  }
  const state: SaveState = theirs ? 'conflict' : isSaving ? 'saving' : failed ? 'failed' : changed.length ? 'unsaved' : 'saved'
  return (
    <form
      noValidate
      className="admin-stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (changed.length) editing.save()
      }}
    >
      {failed && error && <ErrorSummary title={t('editor.problem')} errors={listFaults(error)} />}
      {theirs && (
        <Notice kind="warning" title={t('editor.conflict')}>
          <p>{t('editor.conflict-text')}</p>
          <dl className="definitions">
            {changed
              .filter((name) => theirs[name] !== settings[name])
              .map((name) => (
                <div key={name}>
                  <dt>{t(`fields.${name}`)}</dt>
                  <dd>
                    {t('editor.yours')}
                    {format.colon}
                    {String(settings[name] ?? '–')}
                  </dd>
                  <dd>
                    {t('editor.theirs')}
                    {format.colon}
                    {String(theirs[name] ?? '–')}
                  </dd>
                </div>
              ))}
          </dl>
          <div className="row">
            <Button kind="secondary" size="small" onClick={editing.takeTheirs}>
              {t('editor.take-theirs')}
            </Button>
            <Button size="small" onClick={editing.keepMine}>
              {t('editor.keep-mine')}
            </Button>
          </div>
        </Notice>
      )}
      <p>{t('editor.settings-text')}</p>
      <ProjectSettings settings={settings} change={change} messageOf={messageOf} mayMove={mayMove} />
      <SaveBar
        state={state}
        text={t(`save.${state}`, { count: changed.length })}
        actions={
          <Button type="submit" pending={isSaving} disabled={!changed.length || Boolean(theirs)}>
            {t('save.save')}
          </Button>
        }
      />
    </form>
  )
}
