import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { type Assessment, ASSESSMENT_STEPS, OWN_STEPS, RISKS } from '../assessments.ts'
import { PRIVACY_RECORD, type RecordEntry as Entry } from '../privacy-record.ts'
import { RecordEntry } from './RecordEntry.tsx'

/** An impact assessment to print, filled in from the record. What only the council knows has room to write. */
export function AssessmentPage({ assessment, day }: { assessment: Assessment; day: string }) {
  const { t } = useTranslation('privacy')
  const site = useSite()
  const format = useFormat()
  return (
    <div className="admin-stack">
      <PageHeader
        title={t(`assessment.${assessment}.name`)}
        meta={
          <>
            {t(`assessment.${assessment}.text`)} {t('assessment.made', { site: site.name, day: format.date(day) })}{' '}
            <Link to="/admin/privacy">{t('back')}</Link>
          </>
        }
        actions={<Button onClick={() => window.print()}>{t('print')}</Button>}
      />
      {ASSESSMENT_STEPS[assessment].map((step, index) => (
        <section key={step} className="admin-stack">
          <div className="admin-panel">
            <h2>
              {format.number(index + 1)}. {t(`assessment.steps.${step}.title`)}
            </h2>
            <p>{t(`assessment.steps.${step}.text`, { site: site.name })}</p>
            {step === 'need' && <SensitiveKinds />}
            {step === 'risks' && <Risks />}
            {OWN_STEPS.includes(step) && <p className="assessment-room">{t('assessment.yours')}</p>}
          </div>
          {step === 'describe' && PRIVACY_RECORD.map((entry) => <RecordEntry key={entry.id} entry={entry} showsFields={false} />)}
        </section>
      ))}
    </div>
  )
}

function SensitiveKinds() {
  const { t } = useTranslation('privacy')
  return (
    <>
      <h3>{t('assessment.sensitive')}</h3>
      <ul className="admin-list">
        {PRIVACY_RECORD.filter((entry: Entry) => entry.sensitive).map(({ id }) => (
          <li key={id}>{t(`entries.${id}.what`)}</li>
        ))}
      </ul>
    </>
  )
}

function Risks() {
  const { t } = useTranslation('privacy')
  const heads = ['risk', 'measure', 'likely', 'serious', 'left'] as const
  return (
    <WideTable label={t('assessment.steps.risks.title')}>
      <table className="admin-table assessment-risks">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {t(`assessment.heads.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {RISKS.map((risk) => (
            <tr key={risk}>
              <th scope="row">{t(`assessment.risks.${risk}.risk`)}</th>
              <td>{t(`assessment.risks.${risk}.measure`)}</td>
              {heads.slice(2).map((head) => (
                <td key={head} aria-label={t('assessment.yours')} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
