import { useTranslation } from 'react-i18next'
import { BatchTable } from './BatchTable.tsx'
import type { InvitationSubject } from './invitation-subject.ts'
import { MakeCodes } from './MakeCodes.tsx'
import { SendLinks } from './SendLinks.tsx'

/** The codes and personal links of a survey or activity for invited people. */
export function InvitationsPanel({ subject }: { subject: InvitationSubject }) {
  const { t } = useTranslation('survey-access')
  const isSurvey = subject.type === 'surveys'
  return (
    <section className="panel panel-wide" aria-labelledby="invitations">
      <h2 id="invitations">{isSurvey ? t('title') : t('title-for', { name: subject.title })}</h2>
      <p>{t(isSurvey ? 'text' : 'activity-text')}</p>
      <div className="panel-grid">
        <MakeCodes subject={subject} />
        <SendLinks subject={subject} />
      </div>
      <BatchTable subject={subject} />
    </section>
  )
}
