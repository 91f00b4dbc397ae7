import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { Notice } from '#app/ui/notice.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { smsCampaignQuery } from '../../campaigns.queries.ts'
import { CampaignBadge } from '../../admin/CampaignBadge.tsx'
import { SmsCampaignDraft } from './SmsCampaignDraft.tsx'
import { CampaignProgress } from '../../admin/CampaignProgress.tsx'
import { usePlaceName } from '../../admin/use-place-name.ts'
import { SmsCampaignReach } from './SmsCampaignReach.tsx'

/** One campaign: a draft with its reach, or the progress of sending. */
export function SmsCampaignPage({ id }: { id: string }) {
  const { t } = useTranslation('sms')
  const document = useSuspenseQuery(smsCampaignQuery(id)).data
  const campaign = document.data
  return (
    <div className="admin-stack">
      <PageHeader
        title={campaign.name}
        status={<CampaignBadge status={campaign.status} />}
        meta={usePlaceName()(document, campaign)}
        actions={<Link to="/admin/campaigns">{t('campaigns.all')}</Link>}
      />
      {campaign.status === 'draft' ? (
        <>
          <SmsCampaignDraft campaign={campaign} />
          <SmsCampaignReach campaign={campaign} />
        </>
      ) : (
        <CampaignProgress
          campaign={campaign}
          pause={(paused) => api.update('sms-sendings', id, { attributes: { paused } })}
          cancel={() => api.remove('sms-sendings', id)}
        >
          {campaign.overLimit && campaign.status === 'paused' && (
            <Notice kind="warning" title={t('progress.over-limit')}>
              {t('progress.over-limit-text')}
            </Notice>
          )}
          {campaign.body.trim() && <p className="sms-body">{campaign.body}</p>}
        </CampaignProgress>
      )}
    </div>
  )
}
