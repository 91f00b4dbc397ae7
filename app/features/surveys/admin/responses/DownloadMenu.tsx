import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { EXPORT_FORMATS, type ExportFormat } from '../../export/export.schema.ts'
import { surveyExportsQuery } from '../../surveys.queries.ts'
import type { Survey } from '../editor/survey-draft.ts'

/** Up to this many responses download within a second or two; more are exported in the background. */
const MAX_DOWNLOADED_AT_ONCE = 10_000

/** Downloads all responses in one of the formats; with names only for people who may see personal data. */
export function DownloadMenu({ survey }: { survey: Survey }) {
  const { t } = useTranslation('survey-admin')
  const { t: data } = useTranslation('survey-data')
  const queryClient = useQueryClient()
  const ask = useMutation({
    mutationFn: ({ format, personal }: { format: ExportFormat; personal: boolean }) =>
      api.create('exports', { attributes: { format, personal }, relationships: { survey: { type: 'surveys', id: survey.id } } }),
    onSuccess: async () => {
      showToast({ kind: 'info', text: data('exports.begun') })
      await queryClient.invalidateQueries(surveyExportsQuery(survey.id))
    },
  })
  const listFileActions = (personal: boolean): MenuAction[] =>
    EXPORT_FORMATS.map((format) => ({
      id: `${format}${personal ? '-personal' : ''}`,
      label: t(`download.${format}`) + (personal ? ` ${t('download.personal')}` : ''),
      onAction: () => {
        if (survey.responses > MAX_DOWNLOADED_AT_ONCE) ask.mutate({ format, personal })
        // A file, not a page: the browser must fetch it, not the router.
        else window.location.assign(`/admin/surveys/${survey.id}/download/${format}${personal ? '?personal=true' : ''}`)
      },
    }))
  return (
    <>
      <Menu
        label={t('download.label')}
        look={{ kind: 'secondary' }}
        groups={[listFileActions(false), ...(survey.meta.can.exportPersonalData ? [listFileActions(true)] : [])]}
      />
      <Refusal error={ask.error} />
    </>
  )
}
