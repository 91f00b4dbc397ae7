import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetMembers } from '../members.queries.ts'

/** Invites the owner of an email address to a project. */
export function AddMember({ project, onClose }: { project: string; onClose: () => void }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const site = useSite()
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const add = useMutation({
    mutationFn: () =>
      api.create('project-members', { attributes: { email }, relationships: { project: { type: 'projects', id: project } } }),
    onSuccess: async () => {
      showToast({ text: t('members.added') })
      onClose()
      await forgetMembers(queryClient)
    },
  })
  const message = isAppError(add.error) && add.error.faults[0]?.code === 'taken' ? t('members.already') : describeError(add.error)
  return (
    <Dialog
      title={t('members.add')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      actions={
        <Button type="submit" form="add-member" pending={add.isPending}>
          {t('invite.send')}
        </Button>
      }
    >
      <form
        id="add-member"
        noValidate
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!add.isPending) add.mutate()
        }}
      >
        <TextInput
          name="member-email"
          type="email"
          label={t('table.email')}
          hint={t('members.hint', { site: site.name })}
          value={email}
          onChange={setEmail}
          error={add.isError ? message : undefined}
          required
        />
      </form>
    </Dialog>
  )
}
