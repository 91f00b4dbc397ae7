import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { Language } from '#app/lib/languages.ts'
import { REPORT_AUDIENCES, REPORT_SCHEDULES, type ReportAudience, type ReportSchedule } from '#app/lib/vocabulary/report-views.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { reportViewsQuery } from '../report-views.queries.ts'

interface ReportViewDialogProps {
  /** The one to change; without it, a new one is saved. */
  view?: Resource<'report-views'>
  query: string
  onClose: () => void
}

/** Name of a saved report, who finds it, and who gets it by mail. */
export function ReportViewDialog({ view, query, onClose }: ReportViewDialogProps) {
  const { t } = useTranslation('reports')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const site = useSite()
  const viewer = useViewer()
  const queryClient = useQueryClient()
  const [name, setName] = useState(view?.name ?? '')
  const [audience, setAudience] = useState<ReportAudience>(view?.audience ?? 'self')
  const [hub, setHub] = useState<string | null>(view?.relationships.hub?.id ?? null)
  const [schedule, setSchedule] = useState<ReportSchedule>(view?.schedule ?? 'none')
  const [recipients, setRecipients] = useState(view?.recipients?.join('\n') ?? '')
  const [language, setLanguage] = useState<Language>(view?.language ?? site.locale)
  const audiences =
    viewer?.roleName === 'site_admin'
      ? REPORT_AUDIENCES
      : viewer?.roleName === 'hub_admin'
        ? (['self', 'hub'] as const)
        : (['self'] as const)
  const save = useMutation({
    mutationFn: async () => {
      const input = {
        attributes: { name, audience, query, language, schedule, recipients: recipients.split(/[\s,;]+/).filter(Boolean) },
        relationships: { hub: audience === 'hub' && hub !== null ? { type: 'hubs' as const, id: hub } : null },
      }
      return view ? void (await api.update('report-views', view.id, input)) : void (await api.create('report-views', input))
    },
    onSuccess: async () => {
      showToast({ text: t('views.done.save') })
      onClose()
      await queryClient.invalidateQueries({ queryKey: reportViewsQuery.queryKey })
    },
  })
  const faults = isAppError(save.error) ? save.error.faults : []
  const findFault = (field: string) => faults.find(({ pointer }) => pointer?.includes(`/${field}`))
  const faultOf = (field: string) => {
    const fault = findFault(field)
    return fault && describeError(new AppError('invalid', { faults: [fault] }))
  }
  const known = ['name', 'audience', 'hub', 'recipients'].some((field) => findFault(field))
  return (
    <Dialog
      title={t(view ? 'views.edit-title' : 'views.save-title')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{ label: t('views.keep'), onSubmit: () => save.mutate(), pending: save.isPending }}
    >
      <div className="form">
        {save.error && !known && <Notice kind="error" title={describeError(save.error)} />}
        <TextInput
          name="view-name"
          label={t('views.name')}
          hint={t('views.name-hint')}
          value={name}
          onChange={setName}
          error={faultOf('name')}
          maxLength={80}
          required
        />
        {audiences.length > 1 && (
          <SelectInput
            name="view-audience"
            label={t('views.audience')}
            value={audience}
            onChange={setAudience}
            error={faultOf('audience')}
            options={audiences.map((value) => ({ value, label: t(`views.audiences.${value}`) }))}
          />
        )}
        {audience === 'hub' && (
          <RecordChoice name="view-hub" label={t('filter.hub')} source={hubSource()} value={hub} onChange={setHub} error={faultOf('hub')} />
        )}
        <SelectInput
          name="view-schedule"
          label={t('views.schedule')}
          hint={t('views.schedule-hint')}
          value={schedule}
          onChange={setSchedule}
          options={REPORT_SCHEDULES.map((value) => ({ value, label: t(`views.schedules.${value}`) }))}
        />
        {schedule !== 'none' && (
          <>
            <TextAreaInput
              name="view-recipients"
              label={t('views.recipients')}
              hint={t('views.recipients-hint')}
              value={recipients}
              onChange={setRecipients}
              error={faultOf('recipients')}
              rows={4}
            />
            {site.languages.length > 1 && (
              <SelectInput
                name="view-language"
                label={t('views.language')}
                value={language}
                onChange={setLanguage}
                options={site.languages.map((value) => ({ value, label: getLanguageName(value) }))}
              />
            )}
            {view?.nextAt && <p className="meta">{t('views.next', { when: format.dateTime(view.nextAt) })}</p>}
          </>
        )}
        <p className="meta">{t('views.rights')}</p>
      </div>
    </Dialog>
  )
}
