import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { api } from '#app/shell/api.ts'
import { CampaignList } from '../../admin/CampaignList.tsx'
import { smsCampaignsQuery } from '../../campaigns.queries.ts'
import { SmsTabs } from './SmsTabs.tsx'

export function SmsCampaignList({ page }: { page: number }) {
  const { t } = useTranslation('sms')
  const navigate = useNavigate()
  return (
    <CampaignList
      list={useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/campaigns', search }))}
      query={useQuery(smsCampaignsQuery(page))}
      words={{
        title: t('campaigns.title'),
        text: t('campaigns.text'),
        new: t('campaigns.new'),
        placeHint: t('place.hint'),
        sent: t('campaigns.texts'),
        none: t('campaigns.none'),
        noneText: t('campaigns.none-text'),
      }}
      renderName={(campaign) => (
        <Link to="/admin/campaigns/$id" params={{ id: campaign.id }}>
          {campaign.name}
        </Link>
      )}
      make={async (name, relationships) => {
        const made = await api.create('sms-campaigns', { attributes: { name }, relationships })
        await navigate({ to: '/admin/campaigns/$id', params: { id: made.data.id } })
      }}
      tabs={<SmsTabs />}
    />
  )
}
