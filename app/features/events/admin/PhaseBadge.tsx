import { useTranslation } from 'react-i18next'
import type { EventPhase } from '#app/lib/vocabulary/events.ts'
import { Badge } from '#app/ui/admin/badge.tsx'

/** Where an event stands. */
export function PhaseBadge({ phase }: { phase: EventPhase }) {
  const { t } = useTranslation('events-admin')
  return (
    <Badge tone={phase === 'upcoming' || phase === 'under-way' ? 'ok' : 'neutral'} hollow={phase === 'draft'}>
      {t(`phases.${phase}`)}
    </Badge>
  )
}
