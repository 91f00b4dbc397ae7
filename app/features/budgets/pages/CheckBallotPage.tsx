import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { BallotView, OptionView } from '../budgets.schema.ts'
import { useMoney } from '../use-money.ts'
import { type BallotFault, findBallotFaults, type PotSummary, summarisePots } from '../voting/ballot-rules.ts'
import { ClosingNotice } from './ClosingNotice.tsx'
import { PotBar } from './PotBar.tsx'
import { buildRoundPath, PhaseTag, RoundBreadcrumbs, VotingRefusal } from './round-parts.tsx'

/** The ballot as it would be cast; over a limit, what to take out. */
export function CheckBallotPage({ ballot, form }: { ballot: BallotView; form: FormState | null }) {
  const { t } = useTranslation('budgets')
  const describeFault = useFaultText(ballot)
  const { t: general } = useTranslation('errors')
  const { round, pots, options, chosen } = ballot
  const faults = findBallotFaults(round, pots, options, chosen, ballot.points)
  const used = summarisePots(pots, options, chosen).filter((summary) => summary.chosen.length > 0)
  const refused = (form?.faults ?? []).filter(({ code }) => !faults.some((fault) => fault.code === code))
  const change = toLocalHref(buildRoundPath(round))
  return (
    <div className="page wrap-narrow">
      <RoundBreadcrumbs round={round} current={t('check.title')} />
      <PageTitle title={t('check.title')} eyebrow={<PhaseTag round={round} now={ballot.now} />} />
      <ErrorSummary
        title={t('check.refused')}
        errors={refused.map((fault) => ({
          message:
            fault.code === 'voted-elsewhere'
              ? t('check.voted-elsewhere')
              : general(...toFaultTitle({ code: fault.code as ErrorCode, ...(fault.values ? { values: fault.values } : {}) })),
        }))}
      />
      {!ballot.isOpen ? (
        <Notice kind="warning" title={t(round.phase === 'announced' || round.phase === 'draft' ? 'not-open-yet' : 'check.closed')}>
          <a href={change}>{t('check.back')}</a>
        </Notice>
      ) : chosen.length === 0 ? (
        <Notice title={t('summary.none')}>
          <a href={change}>{t('check.back')}</a>
        </Notice>
      ) : (
        <>
          <ClosingNotice key={ballot.now} ballot={ballot} />
          {faults.length > 0 && (
            <div className="ballot-faults" role="alert">
              {faults.map((fault, at) => (
                <p key={at}>{describeFault(fault)}</p>
              ))}
            </div>
          )}
          {used.map((summary) => (
            <PotTable key={summary.potId} ballot={ballot} summary={summary} takesOut={faults.length > 0} />
          ))}
          {faults.length === 0 && <CastForm ballot={ballot} />}
          <p>
            <a className={getButtonClass({ kind: 'secondary' })} href={change}>
              {t('check.change')}
            </a>
          </p>
        </>
      )}
    </div>
  )
}

function useFaultText({ round, pots, options }: BallotView): (fault: BallotFault) => string {
  const { t } = useTranslation('budgets')
  const money = useMoney(round.currency)
  return (fault) => {
    switch (fault.code) {
      case 'over-the-pot': {
        const pot = pots.find(({ id }) => id === fault.potId)
        return t('faults.over-the-pot', { pot: pot?.title.text ?? '', over: money(fault.over), amount: money(pot?.amount ?? 0) })
      }
      case 'option-gone':
      case 'option-twice':
        return t('faults.option-gone', { option: options.find(({ number }) => number === fault.number)?.title.text ?? fault.number })
      case 'too-few':
        return t('faults.too-few', { count: fault.min })
      case 'too-many':
        return t('faults.too-many', { count: fault.max })
      case 'over-the-points':
        return t('faults.over-the-points', { count: fault.over, max: fault.max })
      case 'points-missing':
        return t('faults.points-missing', { option: options.find(({ number }) => number === fault.number)?.title.text ?? fault.number })
      case 'too-many-pots':
        return t('faults.too-many-pots', { count: fault.max })
    }
  }
}

function PotTable({ ballot, summary, takesOut }: { ballot: BallotView; summary: PotSummary; takesOut: boolean }) {
  const { t } = useTranslation('budgets')
  const money = useMoney(ballot.round.currency)
  const pot = ballot.pots.find(({ id }) => id === summary.potId)
  const chosen = ballot.options.filter(({ number }) => summary.chosen.includes(number))
  const isLimited = ballot.round.ballotType === 'knapsack'
  const hasPoints = ballot.round.ballotType === 'points'
  const given = chosen.reduce((sum, { number }) => sum + (ballot.points[number] ?? 0), 0)
  return (
    <section className="ballot-check" aria-labelledby={`check-${summary.potId}`}>
      <h2 id={`check-${summary.potId}`}>{pot && <Text words={pot.title} />}</h2>
      {isLimited && <PotBar amount={summary.amount} costs={chosen.map(({ cost }) => cost)} />}
      <ul className="ballot-check-list">
        {chosen.map((option) => (
          <li key={option.number}>
            <span>
              <Text words={option.title} />
              {takesOut && isLimited && summary.left < 0 && (
                <span className="meta">
                  {' '}
                  {describeAfter(
                    option,
                    summary,
                    (left) => t('check.then-left', { left: money(left) }),
                    (over) => t('check.then-over', { over: money(over) }),
                  )}
                </span>
              )}
            </span>
            <span className="money">
              {hasPoints ? t('points.count', { count: ballot.points[option.number] ?? 0 }) : money(option.cost)}
            </span>
            {takesOut && (
              <form method="post">
                <input type="hidden" name="openedAt" value={ballot.openedAt} />
                <input type="hidden" name="remove" value={option.number} />
                <Button type="submit" kind="secondary" size="small">
                  {t('check.take-out')}
                  <span className="visually-hidden"> {option.title.text}</span>
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <p className="ballot-check-sum">
        <strong>{t('check.together')}</strong>{' '}
        <span className="money">{hasPoints ? t('points.count', { count: given }) : money(summary.cost)}</span>
      </p>
      {isLimited && summary.left >= 0 && <p>{t('check.left', { left: money(summary.left) })}</p>}
    </section>
  )
}

const describeAfter = (
  { cost }: OptionView,
  { left }: PotSummary,
  sayLeft: (left: number) => string,
  sayOver: (over: number) => string,
): string => (left + cost >= 0 ? sayLeft(left + cost) : sayOver(-(left + cost)))

function CastForm({ ballot }: { ballot: BallotView }) {
  const { t } = useTranslation('budgets')
  const { round, refusal, chosen, sending, castVersion } = ballot
  return (
    <>
      <div className="ballot-secret">
        <Icon name="lock" />
        <p>{t('check.secret')}</p>
      </div>
      {refusal ? (
        <VotingRefusal refusal={refusal} next={buildRoundPath(round, '/check')} />
      ) : (
        <form method="post" className="ballot-cast">
          <input type="hidden" name="form" value="cast" />
          <input type="hidden" name="id" value={sending.id} />
          <input type="hidden" name="sendKey" value={sending.sendKey} />
          <input type="hidden" name="openedAt" value={ballot.openedAt} />
          <input type="hidden" name="seen" value={castVersion ?? 0} />
          {chosen.map((number) => (
            <input key={number} type="hidden" name="option" value={number} />
          ))}
          {Object.entries(ballot.points).map(([number, points]) => (
            <input key={number} type="hidden" name={`points.${number}`} value={points} />
          ))}
          <Button type="submit">{t(castVersion === null ? 'check.cast' : 'check.cast-again')}</Button>
        </form>
      )}
    </>
  )
}
