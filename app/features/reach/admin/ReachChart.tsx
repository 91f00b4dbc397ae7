import { useTranslation } from 'react-i18next'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { TrendChart } from '#app/ui/admin/trend-chart.tsx'
import type { Reach } from '../reach.schema.ts'
import { useReachFormat } from './use-reach-format.ts'

const MARKS = 5

/** People by day, one line per level, with the figures one click away. */
export function ReachChart({ days }: { days: Reach['days'] }) {
  const { t } = useTranslation('reach')
  const { t: admin } = useTranslation('admin')
  const describe = useFigures()
  const format = useReachFormat()
  const now = `${days.at(-1)?.day}T12:00:00Z`
  const names = days.map(({ day }) => format.day(`${day}T12:00:00Z`, now))
  const every = Math.ceil(names.length / MARKS)
  return (
    <TrendChart
      title={t('daily')}
      pointHead={t('day')}
      points={names}
      marks={names.filter((_, index) => (names.length - 1 - index) % every === 0)}
      series={(['aware', 'informed', 'engaged'] as const).map((level) => ({
        name: describe(level).name,
        values: days.map((day) => day[level]),
      }))}
      format={(value) => format.number(value)}
      words={{ view: admin('chart.view'), chart: admin('chart.chart'), table: admin('chart.table') }}
    />
  )
}
