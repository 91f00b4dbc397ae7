import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getButtonClass } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { ASSESSMENTS } from '../assessments.ts'
import { PRIVACY_RECORD } from '../privacy-record.ts'
import { RecordEntry } from './RecordEntry.tsx'

/** Everything that is stored about people, and the assessments that are filled in from it. */
export function PrivacyPage({ removals }: { removals: ReactNode }) {
  const { t } = useTranslation('privacy')
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('title')}
        meta={t('text')}
        actions={
          <a className={getButtonClass({ kind: 'secondary' })} href="/admin/privacy.csv" download>
            {t('download')}
          </a>
        }
      />
      <section className="admin-panel">
        <h2>{t('assessments')}</h2>
        <p>{t('assessments-text')}</p>
        <ul className="admin-list">
          {ASSESSMENTS.map((assessment) => (
            <li key={assessment}>
              <Link to="/admin/privacy/$assessment" params={{ assessment }}>
                {t(`assessment.${assessment}.name`)}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {removals}
      {PRIVACY_RECORD.map((entry) => (
        <RecordEntry key={entry.id} entry={entry} showsFields />
      ))}
    </div>
  )
}
