import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { invitationBatchesQuery } from '../../surveys.queries.ts'
import type { InvitationSubject } from './invitation-subject.ts'
import { SampleFields } from './SampleFields.tsx'
import { toLetterSample, toSampleDraft } from './sample-draft.ts'

interface DescribeLettersProps {
  subject: InvitationSubject
  batch: Resource<'survey-invitation-batches'>
  onClose: () => void
}

/** Corrects what is recorded about the people that the letters of a batch went to. */
export function DescribeLetters({ subject, batch, onClose }: DescribeLettersProps) {
  const { t } = useTranslation('survey-access')
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => toSampleDraft(batch.sample))
  const save = useMutation({
    mutationFn: () => api.update('survey-invitation-batches', batch.id, { attributes: { sample: toLetterSample(draft) } }),
    onSuccess: async () => {
      onClose()
      showToast({ kind: 'success', text: t('sample.saved') })
      await queryClient.invalidateQueries({ queryKey: invitationBatchesQuery(subject).queryKey })
    },
  })
  const { faults, messageOf, form } = useEditorTexts(save.error)
  return (
    <EditDialog title={t('sample.title')} saveLabel={form.save} save={save} faults={faults} onClose={onClose} size="medium">
      <SampleFields idPrefix="described" value={draft} onChange={setDraft} codes={batch.total} messageOf={messageOf} />
    </EditDialog>
  )
}
