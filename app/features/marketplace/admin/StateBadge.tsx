import { useTranslation } from 'react-i18next'
import type { Health } from '#app/lib/vocabulary/marketplace.ts'
import { Badge } from '#app/ui/admin/badge.tsx'

export function StateBadge({ installation }: { installation: { enabled: boolean; health: Health } | undefined }) {
  const { t } = useTranslation('marketplace')
  if (!installation) return <Badge hollow>{t('state.none')}</Badge>
  if (!installation.enabled) return <Badge>{t('state.disabled')}</Badge>
  if (installation.health === 'down') return <Badge tone="bad">{t('state.down')}</Badge>
  if (installation.health === 'failing') return <Badge tone="warn">{t('state.failing')}</Badge>
  return <Badge tone="ok">{t('state.enabled')}</Badge>
}
