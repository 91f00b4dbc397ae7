import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetRetention, retentionSettingsQuery } from '../retention.queries.ts'
import { useMonthChoices } from './use-month-choices.ts'

/** For how long the site keeps personal data of projects that say nothing else. */
export function RetentionSettings() {
  const { t } = useTranslation('privacy')
  const { listChoices } = useMonthChoices()
  const queryClient = useQueryClient()
  const [settings] = useSuspenseQuery(retentionSettingsQuery).data.data
  const save = useMutation({
    mutationFn: (keptMonths: number | null) =>
      api.update(
        'retention-settings',
        settings?.id ?? '',
        { attributes: { keptMonths } },
        { lockVersion: settings?.meta.lockVersion ?? 1 },
      ),
    onSuccess: () => showToast({ text: t('kept.saved') }),
    onSettled: () => forgetRetention(queryClient),
  })
  const { faults } = useEditorTexts(save.error)
  if (!settings?.meta.can.update) return null
  return (
    <section className="admin-panel admin-stack" aria-labelledby="kept-months">
      <h2 id="kept-months">{t('kept.title')}</h2>
      <p>{t('kept.about')}</p>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <div className="admin-form">
        <SelectInput
          name="keptMonths"
          label={t('kept.site')}
          hint={t('kept.site-hint')}
          value={settings.keptMonths === null ? '' : String(settings.keptMonths)}
          onChange={(value) => save.mutate(value === '' ? null : Number(value))}
          options={[{ value: '', label: t('kept.never') }, ...listChoices(settings.keptMonths)]}
        />
      </div>
    </section>
  )
}
