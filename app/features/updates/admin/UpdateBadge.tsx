import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '#app/ui/admin/badge.tsx'

export function UpdateBadge({ publishedAt }: { publishedAt: string | null }) {
  const { t } = useTranslation('admin')
  const [now] = useState(() => Date.now())
  if (!publishedAt) return <Badge hollow>{t('status.draft')}</Badge>
  if (Date.parse(publishedAt) > now)
    return (
      <Badge tone="info" hollow>
        {t('status.scheduled')}
      </Badge>
    )
  return <Badge tone="ok">{t('status.published')}</Badge>
}
