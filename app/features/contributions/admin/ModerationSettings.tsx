import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions, moderationSettingsQuery } from '../contributions.queries.ts'

type AgreementSetting = { answersNeedAgreement: boolean } | { reportsNeedAgreement: boolean }
const AGREEMENT_TEXTS = { answersNeedAgreement: 'agreement', reportsNeedAgreement: 'report-agreement' } as const
const REPORTS = [2, 3, 5, 10]
const MONTHS = [3, 6, 12, 24]

/** How many reports take a text off the site, how long originals are kept, and what needs a second person; only the site's administrators change it. */
export function ModerationSettings() {
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [settings] = useSuspenseQuery(moderationSettingsQuery).data.data
  const save = useMutation({
    mutationFn: (attributes: { reportsToHold: number | null } | { originalsKeptMonths: number } | AgreementSetting) =>
      api.update('moderation-settings', settings?.id ?? '', { attributes }, { lockVersion: settings?.meta.lockVersion ?? 1 }),
    onSuccess: () => showToast({ text: words('common.saved') }),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(save.error)
  if (!settings?.meta.can.update) return null
  const { reportsToHold, originalsKeptMonths } = settings
  return (
    <div className="admin-form">
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <SelectInput
        name="reportsToHold"
        label={t('reports.threshold')}
        hint={t('reports.threshold-hint')}
        value={reportsToHold === null ? '' : String(reportsToHold)}
        onChange={(value) => save.mutate({ reportsToHold: value === '' ? null : Number(value) })}
        options={[
          { value: '', label: t('reports.threshold-off') },
          ...listChoices(REPORTS, reportsToHold).map((count) => ({ value: String(count), label: t('reports.threshold-value', { count }) })),
        ]}
      />
      <SelectInput
        name="originalsKeptMonths"
        label={t('mask.kept')}
        hint={t('mask.kept-hint')}
        value={String(originalsKeptMonths)}
        onChange={(value) => save.mutate({ originalsKeptMonths: Number(value) })}
        options={listChoices(MONTHS, originalsKeptMonths).map((count) => ({
          value: String(count),
          label: t('mask.kept-value', { count, number: format.number(count) }),
        }))}
      />
      {(['answersNeedAgreement', 'reportsNeedAgreement'] as const).map((name) => (
        <CheckInput
          key={name}
          name={name}
          label={t(`${AGREEMENT_TEXTS[name]}.label`)}
          hint={t(`${AGREEMENT_TEXTS[name]}.hint`)}
          // What was chosen shows at once, and what is stored if it cannot be saved.
          value={readChosen(save.isPending ? save.variables : {}, name) ?? settings[name]}
          onChange={(value) => save.mutate({ [name]: value } as AgreementSetting)}
        />
      ))}
    </div>
  )
}

const readChosen = (sent: object, name: keyof typeof AGREEMENT_TEXTS): boolean | undefined =>
  name in sent ? (sent as Record<typeof name, boolean>)[name] : undefined

/** What is offered, and the present choice, which may have come through the API. */
const listChoices = (offered: readonly number[], current: number | null): readonly number[] =>
  current === null || offered.includes(current) ? offered : [...offered, current].toSorted((a, b) => a - b)
