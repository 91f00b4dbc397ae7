import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import type { CheckedHere } from './check-here.ts'
import type { LedgerHead } from './entries.ts'
import { LedgerDownload, type LedgerFile } from './LedgerDownload.tsx'

/** What was computed again, and what else than the ledger differs, in sentences. */
export interface LedgerOutcome extends CheckedHere {
  others: readonly string[]
}

interface LedgerPanelProps {
  about: string
  ledger: LedgerHead
  file: LedgerFile
  /** Computes everything again, from the files. */
  check: () => Promise<LedgerOutcome>
  /** Said if nothing differs. */
  same: string
  /** @param seconds that it took, as they are shown */
  describeSame: (outcome: LedgerOutcome, seconds: string) => string
}

/** A public ledger: how to check it on one's own machine or in this browser. */
export function LedgerPanel({ about, ledger, file, check, same, describeSame }: LedgerPanelProps) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  const isReady = useHydrated()
  const [state, setState] = useState<'idle' | 'running' | 'failed' | { outcome: LedgerOutcome; seconds: number }>('idle')
  const run = async () => {
    setState('running')
    const began = performance.now()
    try {
      setState({ outcome: await check(), seconds: (performance.now() - began) / 1000 })
    } catch {
      setState('failed')
    }
  }
  const isDone = typeof state === 'object'
  return (
    <section className="card ledger-panel" aria-labelledby="ledger">
      <div className="card-body">
        <h2 id="ledger">{t('title')}</h2>
        <p>{about}</p>
        <dl className="ledger-facts">
          <dt>{t('entries')}</dt>
          <dd>{format.number(ledger.entries)}</dd>
          <dt>{t('head')}</dt>
          <dd>
            <code>{ledger.head}</code>
          </dd>
        </dl>
        <LedgerDownload file={file}>
          {isReady && (
            <Button type="button" pending={state === 'running'} onClick={() => void run()}>
              {t(isDone ? 'check-again' : 'check')}
            </Button>
          )}
        </LedgerDownload>
        <div aria-live="polite">
          {state === 'failed' && <Notice kind="error" title={t('failed')} />}
          {isDone &&
            (isAsPublished(state.outcome) ? (
              <Notice kind="success" title={same}>
                {describeSame(state.outcome, format.number(Math.round(state.seconds * 10) / 10))}
              </Notice>
            ) : (
              <Differences outcome={state.outcome} />
            ))}
        </div>
      </div>
    </section>
  )
}

const isAsPublished = ({ ledger, isContinued, others }: LedgerOutcome): boolean =>
  ledger.faults.length === 0 && isContinued && others.length === 0

function Differences({ outcome: { ledger, isContinued, others } }: { outcome: LedgerOutcome }) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  return (
    <Notice kind="error" title={t('differs')}>
      <ul>
        {ledger.faults.map((fault, at) => (
          <li key={at}>
            {t('row', { row: format.number(fault.row) })} {t(`faults.${fault.code}`, { number: 'number' in fault ? fault.number : '' })}
          </li>
        ))}
        {ledger.faults.length === 0 && !isContinued && <li>{t('other-head')}</li>}
        {others.map((other) => (
          <li key={other}>{other}</li>
        ))}
      </ul>
    </Notice>
  )
}
