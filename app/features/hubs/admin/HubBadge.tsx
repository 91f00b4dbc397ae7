import { useTranslation } from 'react-i18next'
import { Badge } from '#app/ui/admin/badge.tsx'

export function HubBadge({ isPublished }: { isPublished: boolean }) {
  const { t } = useTranslation('admin')
  return isPublished ? <Badge tone="ok">{t('status.published')}</Badge> : <Badge hollow>{t('status.draft')}</Badge>
}
