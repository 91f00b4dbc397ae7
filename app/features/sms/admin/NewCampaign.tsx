import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useContentWords } from '#app/shell/use-content-words.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { campaignPlacesQuery, forgetCampaigns } from '../campaigns.queries.ts'

const SITE = 'site'

/** A draft: what it is called, and whose people it is for. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const role = useViewer()?.roleName
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const places = useQuery(campaignPlacesQuery).data
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const options = [
    ...(role === 'site_admin' ? [{ value: SITE, label: t('place.site') }] : []),
    ...(role === 'project_admin'
      ? []
      : (places?.hubs ?? []).map(({ id, title }) => ({ value: `hubs ${id}`, label: t('place.hub', { name: title }) }))),
    ...(places?.projects ?? []).map(({ id, title }) => ({ value: `projects ${id}`, label: t('place.project', { name: title }) })),
  ]
  const place = chosen ?? options[0]?.value ?? SITE
  const make = useMutation({
    mutationFn: () => {
      const [type, id = ''] = place.split(' ')
      return api.create('sms-campaigns', {
        attributes: { name },
        relationships: type === 'hubs' ? { hub: { type, id } } : type === 'projects' ? { project: { type, id } } : {},
      })
    },
    onSuccess: async ({ data }) => {
      await forgetCampaigns(queryClient)
      await navigate({ to: '/admin/campaigns/$id', params: { id: data.id } })
    },
  })
  const words = useContentWords(make.error)
  return (
    <Dialog
      title={t('campaigns.new')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      actions={
        <Button pending={make.isPending} disabled={!name.trim()} onClick={() => make.mutate()}>
          {t('campaigns.make')}
        </Button>
      }
    >
      <div className="admin-form">
        <ErrorSummary title={admin('editor.problem')} errors={words.faults} />
        <TextInput
          name="name"
          label={t('campaigns.name')}
          hint={t('campaigns.name-hint')}
          value={name}
          onChange={setName}
          maxLength={120}
          required
        />
        <SelectInput name="place" label={t('campaigns.to')} hint={t('place.hint')} value={place} onChange={setChosen} options={options} />
      </div>
    </Dialog>
  )
}
