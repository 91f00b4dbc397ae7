import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions, moderationSettingsQuery } from '../contributions.queries.ts'

const OFFERED = [2, 3, 5, 10]

/** How many reports take a text off the site; only the site's administrators change it. */
export function ReportThreshold() {
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [settings] = useSuspenseQuery(moderationSettingsQuery).data.data
  const save = useMutation({
    mutationFn: (reportsToHold: number | null) =>
      api.update(
        'moderation-settings',
        settings?.id ?? '',
        { attributes: { reportsToHold } },
        { lockVersion: settings?.meta.lockVersion ?? 1 },
      ),
    onSuccess: () => showToast({ text: words('common.saved') }),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(save.error)
  if (!settings?.meta.can.update) return null
  const current = settings.reportsToHold
  const numbers = current === null || OFFERED.includes(current) ? OFFERED : [...OFFERED, current].toSorted((a, b) => a - b)
  return (
    <div className="admin-form">
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <SelectInput
        name="reportsToHold"
        label={t('reports.threshold')}
        hint={t('reports.threshold-hint')}
        value={current === null ? '' : String(current)}
        onChange={(value) => save.mutate(value === '' ? null : Number(value))}
        options={[
          { value: '', label: t('reports.threshold-off') },
          ...numbers.map((count) => ({ value: String(count), label: t('reports.threshold-value', { count }) })),
        ]}
      />
    </div>
  )
}
