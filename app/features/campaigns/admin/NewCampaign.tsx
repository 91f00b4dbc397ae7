import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { campaignPlacesQuery, invalidateCampaigns } from '../campaigns.queries.ts'

const SITE_VALUE = 'site'

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
  const places = useQuery(campaignPlacesQuery).data
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const options = [
    ...(role === 'site_admin' ? [{ value: SITE_VALUE, label: t('place.site') }] : []),
    ...(role === 'project_admin'
      ? []
      : (places?.hubs ?? []).map(({ id, title }) => ({ value: `hubs ${id}`, label: t('place.hub', { name: title }) }))),
    ...(places?.projects ?? []).map(({ id, title }) => ({ value: `projects ${id}`, label: t('place.project', { name: title }) })),
  ]
  const place = chosen ?? options[0]?.value ?? SITE_VALUE
  const make = useMutation({
    mutationFn: () => {
      const [type, id = ''] = place.split(' ')
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
        <SelectInput name="place" label={t('campaigns.to')} hint={placeHint} value={place} onChange={setChosen} options={options} />
      </div>
    </Dialog>
  )
}
