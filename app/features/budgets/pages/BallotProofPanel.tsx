import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { BallotProof, RoundView } from '../budgets.schema.ts'
import { buildRoundPath } from './round-parts.tsx'

/** That the ballot is in the public ledger, and how to check it oneself. */
export function BallotProofPanel({ round, proof, isCounted }: { round: RoundView; proof: BallotProof; isCounted: boolean }) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  const { salt, leaf, entry, entries, head } = proof
  const file = `${round.slug}-ledger.jsonl`
  return (
    <section className="card" aria-labelledby="proof">
      <div className="card-body">
        <h2 id="proof">{t('proof.title')}</h2>
        {entry ? (
          <p>
            {t('proof.entry', { number: format.number(entry.number), count: entries, all: format.number(entries) })} {t('proof.means')}
          </p>
        ) : isCounted ? (
          <Notice kind="error" title={t('proof.missing')} />
        ) : (
          <p>{t('proof.waiting')}</p>
        )}
        <details>
          <summary>{t('proof.check')}</summary>
          <div className="stack">
            <p>{t(round.ballotType === 'points' ? 'proof.how-points' : 'proof.how')}</p>
            <dl className="budget-facts">
              <dt>{t('proof.salt')}</dt>
              <dd>
                <code>{salt}</code>
              </dd>
              <dt>{t('proof.leaf')}</dt>
              <dd>
                <code>{leaf}</code>
              </dd>
              {entry && (
                <>
                  <dt>{t('proof.hash')}</dt>
                  <dd>
                    <code>{entry.hash}</code>
                  </dd>
                </>
              )}
              <dt>{t('head')}</dt>
              <dd>
                <code>{head}</code>
              </dd>
            </dl>
            <Notice kind="warning" title={t('proof.private')} />
            <p>{t('machine')}</p>
            <code className="budget-command">parley verify {file}</code>
            <p>
              <a className={getButtonClass({ kind: 'secondary' })} href={buildRoundPath(round, '/ledger.jsonl')} download={file}>
                <Icon name="download" /> {t('download')}
              </a>
            </p>
          </div>
        </details>
      </div>
    </section>
  )
}
