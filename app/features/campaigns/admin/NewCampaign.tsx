import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { useViewer } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { invalidateCampaigns } from '../campaigns.queries.ts'
import { campaignPlaceSource } from './campaign-places.ts'

type Place = { type: 'hubs' | 'projects'; id: string }

interface NewCampaignProps {
  title: string
  /** Explains who is reached in each place. */
  placeHint: string
  /** Creates the draft and opens it. */
  make: (name: string, place: { hub?: Place & { type: 'hubs' }; project?: Place & { type: 'projects' } }) => Promise<void>
  onClose: () => void
}

/** Creates a draft: its name, and whose people it is for. */
export function NewCampaign({ title, placeHint, make: draft, onClose }: NewCampaignProps) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const role = useViewer()?.roleName
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const isSiteAdmin = role === 'site_admin'
  const source = useMemo(
    () =>
      campaignPlaceSource(
        { hub: (place) => t('place.hub', { name: place }), project: (place) => t('place.project', { name: place }) },
        role !== 'project_admin',
      ),
    [t, role],
  )
  const { first } = useFirstRecord(source, !isSiteAdmin)
  const place = chosen ?? (isSiteAdmin ? null : (first?.id ?? null))
  const make = useMutation({
    mutationFn: () => {
      const [type, id = ''] = place?.split(' ') ?? []
      return draft(name, type === 'hubs' ? { hub: { type, id } } : type === 'projects' ? { project: { type, id } } : {})
    },
    onSuccess: () => invalidateCampaigns(queryClient),
  })
  const words = useEditorTexts(make.error)
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{ label: t('campaigns.make'), onSubmit: () => make.mutate(), pending: make.isPending, disabled: !name.trim() }}
    >
      <div className="admin-form">
        <FaultSummary title={admin('editor.problem')} errors={words.faults} />
        <TextInput
          name="name"
          label={t('campaigns.name')}
          hint={t('campaigns.name-hint')}
          value={name}
          onChange={setName}
          maxLength={120}
          required
        />
        <RecordChoice
          name="place"
          label={t('campaigns.to')}
          hint={placeHint}
          source={source}
          value={place}
          {...(isSiteAdmin ? { none: t('place.site') } : {})}
          onChange={setChosen}
        />
      </div>
    </Dialog>
  )
}
