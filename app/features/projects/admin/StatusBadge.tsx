import { useTranslation } from 'react-i18next'
import type { ProjectStatus } from '#app/lib/vocabulary/projects.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'

const TONES: Record<ProjectStatus, BadgeTone> = {
  draft: 'neutral',
  in_review: 'warn',
  scheduled: 'info',
  published: 'ok',
  archived: 'neutral',
}

export function StatusBadge({ status }: { status: ProjectStatus }) {
  const { t } = useTranslation('admin')
  return (
    <Badge tone={TONES[status]} hollow={status === 'draft' || status === 'scheduled'}>
      {t(`status.${status}`)}
    </Badge>
  )
}
