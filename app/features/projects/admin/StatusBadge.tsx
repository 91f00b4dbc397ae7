import { useTranslation } from 'react-i18next'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import type { ProjectStatus } from '../projects.schema.ts'

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
