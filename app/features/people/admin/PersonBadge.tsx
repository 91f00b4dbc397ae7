import { useTranslation } from 'react-i18next'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import type { PersonStatus } from '#app/features/accounts/accounts.schema.ts'

const TONES: Record<PersonStatus, BadgeTone> = { active: 'ok', unconfirmed: 'neutral', invited: 'info', blocked: 'bad' }

export function PersonBadge({ status }: { status: PersonStatus }) {
  const { t } = useTranslation('people')
  return (
    <Badge tone={TONES[status]} hollow={status !== 'active' && status !== 'blocked'}>
      {t(`status.${status}`)}
    </Badge>
  )
}
