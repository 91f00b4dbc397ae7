import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { CampaignList } from '../../admin/CampaignList.tsx'
import { newslettersQuery } from '../../campaigns.queries.ts'

export function NewsletterList({ page }: { page: number }) {
  const { t } = useTranslation('letters')
  const navigate = useNavigate()
  const ofSite = useViewer()?.roleName === 'site_admin'
  return (
    <CampaignList
      list={useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/newsletters', search }))}
      query={useQuery(newslettersQuery(page))}
      words={{
        title: t('title'),
        text: t('text'),
        new: t('new'),
        placeHint: t('place-hint'),
        sent: t('mails'),
        none: t('none'),
        noneText: t('none-text'),
      }}
      renderName={(letter) => (
        <Link to="/admin/newsletters/$id" params={{ id: letter.id }}>
          {letter.name}
        </Link>
      )}
      make={async (name, relationships) => {
        const made = await api.create('newsletters', { attributes: { name }, relationships })
        await navigate({ to: '/admin/newsletters/$id', params: { id: made.data.id } })
      }}
      beside={ofSite && <a href="/admin/mail-consents.csv">{t('ledger')}</a>}
    />
  )
}
