import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { BallotView } from '../budgets.schema.ts'

/** Timers cannot wait longer than 24 days. */
const LONGEST_WAIT_MS = 2_147_483_647

type Stage = 'open' | 'late' | 'over'

const findStage = ({ closesAt, lateUntil }: BallotView['round'], now: number): Stage =>
  lateUntil && now >= Date.parse(lateUntil) ? 'over' : closesAt && now >= Date.parse(closesAt) ? 'late' : 'open'

/** Tells readers that voting has closed, also while their page is open: until when they may still cast their ballot, and that they no longer can. */
export function ClosingNotice({ ballot: { round, now } }: { ballot: BallotView }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const [stage, setStage] = useState(() => findStage(round, Date.parse(now)))
  const [startedAt] = useState(() => performance.now())
  const { closesAt, lateUntil } = round
  useEffect(() => {
    const next = stage === 'open' ? closesAt : stage === 'late' ? lateUntil : null
    if (!next) return undefined
    // By the clock of the server: those of readers may be wrong.
    const wait = Date.parse(next) - Date.parse(now) - (performance.now() - startedAt)
    if (wait > LONGEST_WAIT_MS) return undefined
    const timer = setTimeout(() => setStage(stage === 'open' ? 'late' : 'over'), Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [stage, closesAt, lateUntil, now, startedAt])
  return (
    <div aria-live="polite">
      {stage === 'late' && <Notice kind="warning" title={t('notices.late', { time: lateUntil ? format.time(lateUntil) : '' })} />}
      {stage === 'over' && <Notice kind="warning" title={t('check.closed')} />}
    </div>
  )
}
