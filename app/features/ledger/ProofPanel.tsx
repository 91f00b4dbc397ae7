import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { LedgerDownload, type LedgerFile } from './LedgerDownload.tsx'
import type { LedgerProof } from './proof.ts'

interface ProofPanelProps {
  proof: LedgerProof
  file: LedgerFile
  /** It should have an entry and has none, or was changed since. */
  isMissing: boolean
  /** A file that the reader can keep. */
  keep?: ReactNode
  words: {
    title: string
    waiting: string
    missing: string
    /** How the leaf is computed. */
    how: string
    leaf: string
    /** Who must not see the salt. */
    secret: string
  }
}

/** The part of a receipt about its entry in a public ledger, and how to check it. */
export function ProofPanel({ proof: { salt, leaf, entry, entries, head }, file, isMissing, keep, words }: ProofPanelProps) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  return (
    <section className="card ledger-proof" aria-labelledby="proof">
      <div className="card-body">
        <h2 id="proof">{words.title}</h2>
        {isMissing ? (
          <Notice kind="error" title={words.missing} />
        ) : entry ? (
          <p>
            {t('proof.entry', { number: format.number(entry.number), count: entries, all: format.number(entries) })} {t('proof.means')}
          </p>
        ) : (
          <p>{words.waiting}</p>
        )}
        {keep}
        <details>
          <summary>{t('proof.check')}</summary>
          <div className="stack">
            <p>{words.how}</p>
            <dl className="ledger-facts">
              <dt>{t('proof.salt')}</dt>
              <dd>
                <code>{salt}</code>
              </dd>
              <dt>{words.leaf}</dt>
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
            <Notice kind="warning" title={words.secret} />
            <LedgerDownload file={file} />
          </div>
        </details>
      </div>
    </section>
  )
}
