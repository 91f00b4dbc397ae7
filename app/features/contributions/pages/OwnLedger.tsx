import { useTranslation } from 'react-i18next'
import { ProofPanel } from '#app/features/ledger/ProofPanel.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { ActivityView, OwnLedgerView } from '../record/contributions.schema.ts'
import { buildLedgerFile } from './ledger-file.ts'

interface OwnLedgerProps {
  activity: ActivityView
  number: number
  ledger: OwnLedgerView
}

/** The part of a receipt about the activity's public ledger: the entry, and a file that proves it. */
export function OwnLedger({ activity, number, ledger }: OwnLedgerProps) {
  const { t } = useTranslation('ledger')
  const title = t('contributions.title')
  if (ledger.state === 'gone')
    return (
      <section className="card ledger-proof" aria-labelledby="proof">
        <div className="card-body">
          <h2 id="proof">{title}</h2>
          <p>{t('contributions.gone')}</p>
        </div>
      </section>
    )
  const { state, kept } = ledger
  const proof = `${activity.slug}-${number}-proof.txt`
  return (
    <ProofPanel
      proof={ledger}
      file={{ ...buildLedgerFile(activity), others: [proof] }}
      isMissing={state === 'missing'}
      keep={
        state === 'masked' ? (
          <Notice title={t('contributions.masked')} />
        ) : (
          kept && (
            <>
              <p>{t('contributions.keep-text')}</p>
              <p>
                <a
                  className={getButtonClass({ kind: 'secondary' })}
                  href={`data:text/plain;charset=utf-8,${encodeURIComponent(kept)}`}
                  download={proof}
                >
                  <Icon name="download" /> {t('contributions.keep')}
                </a>
              </p>
            </>
          )
        )
      }
      words={{
        title,
        waiting: t('contributions.waiting'),
        missing: t('contributions.missing'),
        how: t('contributions.how'),
        leaf: t('contributions.leaf'),
        secret: t('contributions.private'),
      }}
    />
  )
}
