import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'

interface SynchronisationBadgeProps {
  dataset: { lastFault: object | null; synchronisedAt: string | null }
  running: { state: 'waiting' | 'running'; rows: number } | undefined
}

/** A dataset's state: being copied, up to date, or unreachable. */
export function SynchronisationBadge({ dataset, running }: SynchronisationBadgeProps) {
  const { t } = useTranslation('city-admin')
  const format = useFormat()
  if (running?.state === 'running') {
    return <Badge tone="info">{t('state.running', { count: running.rows, number: format.number(running.rows) })}</Badge>
  }
  if (dataset.lastFault) return <Badge tone="bad">{t('state.failed')}</Badge>
  if (running || !dataset.synchronisedAt) return <Badge hollow>{t('state.waiting')}</Badge>
  return <Badge tone="ok">{t('state.current')}</Badge>
}
