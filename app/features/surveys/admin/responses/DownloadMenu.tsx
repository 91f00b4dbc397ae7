import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
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
  /** The format of the file with personal data that is asked for. */
  const [asked, setAsked] = useState<ExportFormat>()
  const [reason, setReason] = useState('')
  const ask = useMutation({
    mutationFn: ({ format, why }: { format: ExportFormat; why?: string }) =>
      api.create('exports', {
        attributes: { format, ...(why !== undefined && { personal: true, reason: why }) },
        relationships: { survey: { type: 'surveys', id: survey.id } },
      }),
    onSuccess: async () => {
      setAsked(undefined)
      showToast({ kind: 'info', text: data('exports.begun') })
      await queryClient.invalidateQueries(surveyExportsQuery(survey.id))
    },
  })
  const { messageOf } = useEditorTexts(ask.error)
  const listFileActions = (personal: boolean): MenuAction[] =>
    EXPORT_FORMATS.map((format) => ({
      id: `${format}${personal ? '-personal' : ''}`,
      label: t(`download.${format}`) + (personal ? ` ${t('download.personal')}` : ''),
      onAction: () => {
        // The page for files asks why somebody wants personal data; what is made in the background is asked for here.
        if (survey.responses > MAX_DOWNLOADED_AT_ONCE) {
          if (personal) setAsked(format)
          else ask.mutate({ format })
        }
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
      {asked ? (
        <ConfirmDialog
          title={t('download.why')}
          isOpen
          onClose={() => {
            setAsked(undefined)
            ask.reset()
          }}
          onConfirm={() => ask.mutateAsync({ format: asked, why: reason }).then(undefined, () => undefined)}
          confirmLabel={t('download.ask')}
          cancelLabel={t('download.cancel')}
        >
          <p>{t('download.why-text')}</p>
          <TextInput name="reason" label={t('download.reason')} value={reason} onChange={setReason} error={messageOf('reason')} required />
        </ConfirmDialog>
      ) : (
        <Refusal error={ask.error} />
      )}
    </>
  )
}
