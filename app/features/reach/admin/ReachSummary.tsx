import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { reachSummaryQuery } from '../reach.queries.ts'
import type { ReachPlace } from '../reach.schema.ts'
import { formatPlaceParam } from '../reach.search.ts'
import { HowCounted, ReachCards } from './ReachCards.tsx'
import { ReachChart } from './ReachChart.tsx'

/** The figures of the last 30 days on an administration page; without `place`, of the widest the viewer may see. */
export function ReachSummary({ place }: { place?: ReachPlace }) {
  const { t } = useTranslation('reach')
  const search = place ? { place: formatPlaceParam(place) } : {}
  const { data } = useQuery(reachSummaryQuery(search))
  if (!data) return null
  return (
    <section className="admin-stack" aria-labelledby="reach">
      <div className="row">
        <h2 id="reach">{place ? t('summary') : t('summary-of', { place: data.place.title })}</h2>
        <Link to="/admin/reports/reach" search={search}>
          {t('nav-report')}
        </Link>
      </div>
      <ReachCards totals={data.totals} />
      <HowCounted />
      {place && <ReachChart days={data.days} />}
    </section>
  )
}
