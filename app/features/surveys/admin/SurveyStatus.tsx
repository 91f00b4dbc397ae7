import { useTranslation } from 'react-i18next'
import type { Visibility } from '#app/lib/vocabulary/projects.ts'
import type { SurveyStatus as Status } from '#app/lib/vocabulary/surveys.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import type { SurveyState } from '../surveys.views.ts'

const TONES: Record<ShownStatus, BadgeTone> = {
  draft: 'neutral',
  waiting: 'info',
  scheduled: 'info',
  open: 'ok',
  'open-members': 'ok',
  'open-link': 'ok',
  hidden: 'warn',
  closed: 'neutral',
  archived: 'neutral',
}

type ShownStatus = 'draft' | 'waiting' | 'scheduled' | 'open' | 'open-members' | 'open-link' | 'hidden' | 'closed' | 'archived'

/** An open survey is only open to those who can see its project. */
const OPEN_TO: Record<Visibility, ShownStatus> = { public: 'open', members: 'open-members', link: 'open-link', hidden: 'hidden' }

interface SurveyStatusProps {
  survey: { status: Status; state: SurveyState; projectVisibility: Visibility }
  hasChanges: boolean
}

/** A survey's status, and whether the draft has unpublished changes. */
export function SurveyStatus({ survey: { status, state, projectVisibility }, hasChanges }: SurveyStatusProps) {
  const { t } = useTranslation('survey-admin')
  const shown = findShownStatus()
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

  function findShownStatus(): ShownStatus {
    if (status === 'archived') return 'archived'
    if (state === 'open') return OPEN_TO[projectVisibility]
    if (state !== 'preview') return state
    return status === 'draft' ? 'draft' : 'waiting'
  }
}
