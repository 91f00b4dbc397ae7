import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetSites } from '../sites.queries.ts'

interface DeleteSiteProps {
  site: { id: string; name: string }
  waitingDays: number
  /** Called once the site is offline and its deletion is scheduled. */
  onAsked: () => void
  onClose: () => void
}

/** Asks for the site's name and a reason before taking it offline. */
export function DeleteSite({ site, waitingDays, onAsked, onClose }: DeleteSiteProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const ask = useMutation({
    mutationFn: () =>
      api.create('site-deletions', { attributes: { name, reason }, relationships: { site: { type: 'sites', id: site.id } } }),
    onSuccess: onAsked,
    onSettled: () => forgetSites(queryClient),
  })
  const words = useEditorTexts(ask.error)
  const [day] = useState(() => format.date(Date.now() + waitingDays * 864e5))
  return (
    <Dialog
      title={t('sites.delete-title', { name: site.name })}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {admin('confirm.cancel')}
          </Button>
          <Button type="submit" form="delete-site" kind="danger" pending={ask.isPending}>
            {t('sites.delete-do', { day })}
          </Button>
        </>
      }
    >
      <form
        id="delete-site"
        className="admin-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <FaultSummary title={words.form.problem} errors={words.faults} />
        <p>{t('sites.delete-text', { day })}</p>
        <TextInput
          name="name"
          label={t('sites.delete-name')}
          hint={t('sites.delete-name-hint', { name: site.name })}
          value={name}
          onChange={setName}
          error={words.messageOf('name')}
          required
        />
        <TextAreaInput
          name="reason"
          label={t('sites.delete-reason')}
          hint={t('sites.delete-reason-hint')}
          value={reason}
          onChange={setReason}
          error={words.messageOf('reason')}
          required
        />
      </form>
    </Dialog>
  )
}
