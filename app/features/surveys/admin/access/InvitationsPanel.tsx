import { useTranslation } from 'react-i18next'
import type { Survey } from '../editor/survey-draft.ts'
import { BatchTable } from './BatchTable.tsx'
import { MakeCodes } from './MakeCodes.tsx'
import { SendLinks } from './SendLinks.tsx'

/** The codes and personal links of an invitation-only survey. */
export function InvitationsPanel({ survey }: { survey: Survey }) {
  const { t } = useTranslation('survey-access')
  return (
    <section className="panel panel-wide" aria-labelledby="invitations">
      <h2 id="invitations">{t('title')}</h2>
      <p>{t('text')}</p>
      <div className="panel-grid">
        <MakeCodes survey={survey} />
        <SendLinks survey={survey} />
      </div>
      <BatchTable survey={survey} />
    </section>
  )
}
