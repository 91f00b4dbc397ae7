import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { COUNTING_RULES, MOST_COUNTED_IMMEDIATELY } from '#app/lib/vocabulary/budgets.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { countsQuery, forgetBudgets, optionsQuery, potsQuery, resultsQuery } from '../budgets.queries.ts'
import { useMoney } from '../use-money.ts'
import { readCountedPots } from './counted-pots.ts'
import type { RoundDocument } from './EditRound.tsx'

/** Turnout, the count by each rule, and its certification by a second person. */
export function RoundCount({ round }: { round: RoundDocument }) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const results = useSuspenseQuery(resultsQuery(round.id)).data.data
  const standing = results.find(({ state }) => state !== 'superseded')
  const [certifying, setCertifying] = useState(false)
  const background = useBackgroundCount(round.id)
  const count = useMutation({
    mutationFn: (): Promise<unknown> => {
      const relationships = { round: { type: 'budget-rounds' as const, id: round.id } }
      const takesLong = (round.ballots ?? 0) > MOST_COUNTED_IMMEDIATELY
      return takesLong ? api.create('budget-counts', { relationships }) : api.create('budget-results', { relationships })
    },
    onSettled: () => forgetBudgets(queryClient),
  })
  const certify = useMutation({
    mutationFn: (id: string) => api.update('budget-results', id, { attributes: { state: 'certified' } }),
    onSettled: async () => {
      setCertifying(false)
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(certify.error ?? count.error)
  return (
    <section className="admin-stack" aria-labelledby="count-heading">
      <h2 id="count-heading">{t('count.title')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <dl className="budget-facts">
        <dt>{t('count.ballots')}</dt>
        <dd>
          {format.number(round.ballots ?? 0)} <span className="meta">{t('count.ballots-means')}</span>
        </dd>
        <dt>{t('count.paper')}</dt>
        <dd>{format.number(round.paperBallots ?? 0)}</dd>
        <dt>{t('count.voters')}</dt>
        <dd>
          {format.number(round.voters ?? 0)} <span className="meta">{t('count.voters-means')}</span>
        </dd>
      </dl>
      {standing && <CountedPots round={round} result={standing} />}
      {standing?.state === 'provisional' && (
        <Notice title={t('count.provisional')}>{t(standing.isOwnCount ? 'count.certify-other' : 'count.certify-text')}</Notice>
      )}
      {standing?.state === 'certified' && (
        <Notice kind="success" title={t('count.certified', { date: format.date(standing.certifiedAt ?? standing.countedAt) })}>
          {t('count.certified-text')}
        </Notice>
      )}
      {background.progress}
      <div className="row">
        {round.meta.can.count && !background.isInProgress && (
          <Button kind={standing ? 'secondary' : 'primary'} pending={count.isPending} onClick={() => count.mutate()}>
            {t(standing ? 'count.again' : 'count.count')}
          </Button>
        )}
        {standing?.meta.can.certify && <Button onClick={() => setCertifying(true)}>{t('count.certify')}</Button>}
      </div>
      {!round.meta.can.count && !standing && <p>{t('count.not-yet')}</p>}
      {certifying && standing && (
        <ConfirmDialog
          title={t('count.certify-title')}
          isOpen
          onClose={() => setCertifying(false)}
          onConfirm={() => certify.mutateAsync(standing.id).then(undefined, () => undefined)}
          confirmLabel={t('count.certify')}
          cancelLabel={t('cancel')}
        >
          <p>{t('count.certify-text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** How far a count in the background is. What it found is shown as soon as it is done. */
function useBackgroundCount(round: string): { isInProgress: boolean; progress: ReactNode } {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [newest] = useSuspenseQuery(countsQuery(round)).data.data
  const isInProgress = newest?.state === 'waiting' || newest?.state === 'running'
  const wasInProgress = useRef(isInProgress)
  useEffect(() => {
    if (wasInProgress.current && !isInProgress) void forgetBudgets(queryClient)
    wasInProgress.current = isInProgress
  }, [isInProgress, queryClient])
  const cancel = useMutation({
    mutationFn: (id: string) => api.remove('budget-counts', id),
    onSettled: () => forgetBudgets(queryClient),
  })
  if (newest?.state === 'failed') return { isInProgress, progress: <Notice kind="error" title={t('count.failed')} /> }
  if (!newest || !isInProgress) return { isInProgress, progress: null }
  return {
    isInProgress,
    progress: (
      <div className="admin-panel">
        <output>
          <ProgressBar
            label={newest.state === 'waiting' ? t('count.waiting') : t('count.running', { share: format.percent(newest.progress / 100) })}
            value={newest.progress}
          />
        </output>
        <div className="row">
          <Button kind="secondary" size="small" pending={cancel.isPending} onClick={() => cancel.mutate(newest.id)}>
            {t('count.cancel')}
          </Button>
        </div>
      </div>
    ),
  }
}

interface CountedPotsProps {
  round: RoundDocument
  result: { pots: readonly Record<string, unknown>[] }
}

/** What each rule would fund. The rule of the round decides. */
function CountedPots({ round, result }: CountedPotsProps) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const money = useMoney(round.currency)
  const pots = useSuspenseQuery(potsQuery(round.id)).data.data
  const options = useSuspenseQuery(optionsQuery(round.id)).data.data
  const nameOption = (number: string) => options.find((option) => String(option.number) === number)?.title ?? number
  return readCountedPots(result.pots).map(({ potId, ballots, outcomes }) => (
    <div key={potId} className="admin-panel">
      <div>
        <h3>
          {pots.find(({ id }) => id === potId)?.title} · {t('count.pot-ballots', { count: ballots, number: format.number(ballots) })}
        </h3>
        <dl className="budget-facts">
          {COUNTING_RULES.map((rule) => (
            <div key={rule}>
              <dt>
                {t(`rules.${rule}`)} {rule === round.rule && `(${t('count.decides')})`}
              </dt>
              <dd>
                {money(outcomes[rule].cost)}: {format.list(outcomes[rule].funded.map(nameOption)) || t('count.nothing')}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  ))
}
