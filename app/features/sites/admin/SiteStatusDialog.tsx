import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetSites } from '../sites.queries.ts'

interface SiteStatusDialogProps {
  site: { id: string; name: string }
  act: 'suspend' | 'resume'
  onClose: () => void
}

/** Confirms taking a site offline, with a reason, or bringing it back. */
export function SiteStatusDialog({ site: { id, name }, act, onClose }: SiteStatusDialogProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const suspending = act === 'suspend'
  const turn = useMutation({
    mutationFn: async () =>
      suspending
        ? void (await api.create('site-suspensions', { attributes: { reason }, relationships: { site: { type: 'sites', id } } }))
        : api.remove('site-suspensions', id),
    onSuccess: onClose,
    onSettled: () => forgetSites(queryClient),
  })
  const { faults } = useEditorTexts(turn.error)
  return (
    <ConfirmDialog
      title={t(suspending ? 'sites.suspend-title' : 'sites.resume-title', { name })}
      isOpen
      danger={suspending}
      onClose={onClose}
      onConfirm={() => turn.mutateAsync().then(undefined, () => undefined)}
      confirmLabel={t(`sites.${act}`)}
      cancelLabel={admin('confirm.cancel')}
      confirmDisabled={suspending && !reason.trim()}
    >
      <p>{t(suspending ? 'sites.suspend-text' : 'sites.resume-text')}</p>
      {suspending && <TextAreaInput name="reason" label={t('sites.reason')} value={reason} onChange={setReason} required />}
      {faults[0] && <Notice kind="error" title={faults[0].message} />}
    </ConfirmDialog>
  )
}
