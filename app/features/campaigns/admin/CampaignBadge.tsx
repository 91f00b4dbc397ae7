import { useTranslation } from 'react-i18next'
import type { CampaignStatus } from '#app/lib/vocabulary/campaigns.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'

const TONES: Record<CampaignStatus, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'info',
  preparing: 'info',
  sending: 'info',
  paused: 'warn',
  done: 'ok',
  cancelled: 'neutral',
}

export function CampaignBadge({ status }: { status: CampaignStatus }) {
  const { t } = useTranslation('sms')
  return (
    <Badge tone={TONES[status]} hollow={status === 'draft' || status === 'scheduled'}>
      {t(`campaign-status.${status}`)}
    </Badge>
  )
}
