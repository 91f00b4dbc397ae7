import { useTranslation } from 'react-i18next'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import type { SmsStatus } from '../sms.schema.ts'

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
