import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LedgerHead } from '#app/features/ledger/entries.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import type { BudgetResultsView } from '../budgets.schema.ts'
import type { CheckedHere } from './check-here.ts'
import { buildRoundPath } from './round-parts.tsx'

/** The ledger of a certified round: how to check it, with the result, on one's own machine or in this browser. */
export function LedgerPanel({ results, ledger }: { results: BudgetResultsView; ledger: LedgerHead }) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  const isReady = useHydrated()
  const [state, setState] = useState<'idle' | 'running' | 'failed' | CheckedHere>('idle')
  const { round, pots } = results
  const file = `${round.slug}-ledger.jsonl`
  const potFiles = pots.map((_, at) => `${round.slug}-${at + 1}.pb`)
  const check = async () => {
    setState('running')
    try {
      const { checkHere } = await import('./check-here.ts')
      setState(
        await checkHere(
          buildRoundPath(round, '/ledger.jsonl'),
          pots.map((_, at) => buildRoundPath(round, `/ballots/${at + 1}.pb`)),
        ),
      )
    } catch {
      setState('failed')
    }
  }
  return (
    <section className="card budget-ledger" aria-labelledby="ledger">
      <div className="card-body">
        <h2 id="ledger">{t('title')}</h2>
        <p>{t('about')}</p>
        <dl className="budget-facts">
          <dt>{t('entries')}</dt>
          <dd>{format.number(ledger.entries)}</dd>
          <dt>{t('head')}</dt>
          <dd>
            <code>{ledger.head}</code>
          </dd>
        </dl>
        <p>{t('machine')}</p>
        <code className="budget-command">
          parley verify {file} {potFiles.join(' ')}
        </code>
        <p className="row">
          {isReady && (
            <Button type="button" pending={state === 'running'} onClick={() => void check()}>
              {t(typeof state === 'object' ? 'check-again' : 'check')}
            </Button>
          )}
          <a className={getButtonClass({ kind: 'secondary' })} href={buildRoundPath(round, '/ledger.jsonl')} download={file}>
            <Icon name="download" /> {t('download')}
          </a>
        </p>
        <div aria-live="polite">
          {state === 'failed' && <Notice kind="error" title={t('failed')} />}
          {typeof state === 'object' && <CheckOutcome checked={state} stated={ledger} />}
        </div>
      </div>
    </section>
  )
}

function CheckOutcome({ checked: { ledger, result, seconds }, stated }: { checked: CheckedHere; stated: LedgerHead }) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  const hasOtherHead = ledger.faults.length === 0 && ledger.head !== stated.head
  const isSame = ledger.faults.length === 0 && !hasOtherHead && result.isSealed && result.pots.every(({ isStated }) => isStated)
  if (isSame)
    return (
      <Notice kind="success" title={t('same')}>
        {t('same-text', {
          count: ledger.standing,
          ballots: format.number(ledger.standing),
          entries: format.number(ledger.entries),
          seconds: format.number(Math.round(seconds * 10) / 10),
        })}
      </Notice>
    )
  return (
    <Notice kind="error" title={t('differs')}>
      <ul>
        {ledger.faults.map((fault, at) => (
          <li key={at}>
            {t('row', { row: format.number(fault.row) })} {t(`faults.${fault.code}`, { number: 'number' in fault ? fault.number : '' })}
          </li>
        ))}
        {hasOtherHead && <li>{t('other-head')}</li>}
        {result.pots.map(({ isStated }, at) => (isStated ? null : <li key={at}>{t('other-result', { pot: at + 1 })}</li>))}
        {!result.isSealed && <li>{t('not-sealed')}</li>}
      </ul>
    </Notice>
  )
}
