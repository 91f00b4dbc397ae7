import { useTranslation } from 'react-i18next'
import type { SmsStatus } from '#app/lib/vocabulary/sms.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'

const TONES: Record<SmsStatus, BadgeTone> = {
  waiting: 'neutral',
  sending: 'info',
  accepted: 'info',
  delivered: 'ok',
  failed: 'bad',
  skipped: 'warn',
  received: 'ok',
}

export function MessageBadge({ status }: { status: SmsStatus }) {
  const { t } = useTranslation('sms')
  return (
    <Badge tone={TONES[status]} hollow={status === 'waiting' || status === 'sending'}>
      {t(`status.${status}`)}
    </Badge>
  )
}
