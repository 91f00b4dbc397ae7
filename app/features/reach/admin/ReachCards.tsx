import { useTranslation } from 'react-i18next'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import type { ReachFigures } from '../reach.schema.ts'
import { useReachFormat } from './use-reach-format.ts'

const LEVELS = ['aware', 'informed', 'engaged'] as const

export function ReachCards({ totals }: { totals: ReachFigures }) {
  const { t } = useTranslation('reach')
  const format = useReachFormat()
  return (
    <div className="stat-cards">
      {LEVELS.map((level) => (
        <FigureCard
          key={level}
          figure={level}
          value={format.number(totals[level])}
          link={level !== 'aware' && totals.aware > 0 ? t('share', { share: format.percent(totals[level] / totals.aware) }) : undefined}
        />
      ))}
    </div>
  )
}

export function HowCounted() {
  const { t } = useTranslation('reach')
  return (
    <details className="reach-how">
      <summary>{t('how')}</summary>
      <ul>
        <li>{t('how-days')}</li>
        <li>{t('how-nested')}</li>
        <li>{t('how-private')}</li>
        <li>{t('how-fresh')}</li>
      </ul>
    </details>
  )
}
