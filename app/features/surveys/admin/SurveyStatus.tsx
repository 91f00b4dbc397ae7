import { useTranslation } from 'react-i18next'
import type { SurveyStatus as Status } from '#app/lib/vocabulary/surveys.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import type { SurveyState } from '../surveys.views.ts'

const TONES: Record<ShownStatus, BadgeTone> = {
  draft: 'neutral',
  waiting: 'info',
  scheduled: 'info',
  open: 'ok',
  closed: 'neutral',
  archived: 'neutral',
}

type ShownStatus = 'draft' | 'waiting' | 'scheduled' | 'open' | 'closed' | 'archived'

/** A survey's status, and whether the draft has unpublished changes. */
export function SurveyStatus({ status, state, hasChanges }: { status: Status; state: SurveyState; hasChanges: boolean }) {
  const { t } = useTranslation('survey-admin')
  const shown: ShownStatus = status === 'archived' ? 'archived' : state !== 'preview' ? state : status === 'draft' ? 'draft' : 'waiting'
  return (
    <>
      <Badge tone={TONES[shown]} hollow={shown === 'draft' || shown === 'waiting' || shown === 'scheduled'}>
        {t(`status.${shown}`)}
      </Badge>
      {hasChanges && status === 'published' && (
        <Badge tone="warn" hollow>
          {t('status.changes')}
        </Badge>
      )}
    </>
  )
}
