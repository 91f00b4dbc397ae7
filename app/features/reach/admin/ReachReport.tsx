import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { stringifySearchParams } from '#app/lib/search-params.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import type { RecordSource } from '#app/shell/admin/record-sources.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { getReachPlace, searchReachPlaces } from '../reach.functions.ts'
import { reachQuery } from '../reach.queries.ts'
import { REACH_DAYS, type Reach } from '../reach.schema.ts'
import { formatPlaceParam, type ReachSearch } from '../reach.search.ts'
import { HowCounted, ReachCards } from './ReachCards.tsx'
import { ReachChart } from './ReachChart.tsx'
import { ReachTables } from './ReachTables.tsx'
import { WhoTookPart } from './WhoTookPart.tsx'
import { useReachFormat } from './use-reach-format.ts'

const PLACES: RecordSource = {
  key: ['reach-places'],
  find: async (words, signal) => {
    const { places, total } = await searchReachPlaces({ data: { words }, signal })
    return { choices: places.map((place) => ({ id: formatPlaceParam(place), name: place.title })), total }
  },
  load: async (id, signal) => ({ id, name: await getReachPlace({ data: { place: id }, signal }) }),
}

/** Who a site, department or project reached, for viewing, printing and download. */
export function ReachReport({ search }: { search: ReachSearch }) {
  const { t } = useTranslation('reach')
  const { data } = useSuspenseQuery(reachQuery(search))
  if (!data)
    return (
      <div className="admin-stack">
        <PageHeader title={t('title')} />
        <EmptyState title={t('none-projects')}>{t('none-projects-text')}</EmptyState>
      </div>
    )
  return <Report search={search} reach={data} />
}

function Report({ search, reach }: { search: ReachSearch; reach: Reach }) {
  const { t } = useTranslation('reach')
  const format = useReachFormat()
  return (
    <div className="admin-stack reach-report">
      <PageHeader
        title={t('title')}
        meta={t('lead', {
          place: reach.place.title,
          from: format.date(`${reach.from}T12:00:00Z`),
          until: format.date(`${reach.until}T12:00:00Z`),
        })}
        actions={
          <>
            <Button kind="secondary" onClick={() => window.print()}>
              {t('print')}
            </Button>
            <ButtonLink kind="secondary" href={`/admin/reports/reach.xlsx${stringifySearchParams({ ...search })}`}>
              {t('download')}
            </ButtonLink>
          </>
        }
      />
      <Choices search={search} reach={reach} />
      <ReachCards totals={reach.totals} />
      <HowCounted />
      <ReachChart days={reach.days} />
      <WhoTookPart answers={reach.answers} />
      <ReachTables reach={reach} days={search.days} />
    </div>
  )
}

function Choices({ search, reach }: { search: ReachSearch; reach: Reach }) {
  const { t } = useTranslation('reach')
  const navigate = useNavigate({ from: '/admin/reports/reach' })
  return (
    <FilterBar>
      <RecordChoice
        name="place"
        label={t('place')}
        source={PLACES}
        value={formatPlaceParam(reach.place)}
        onChange={(place) => void navigate({ search: { ...search, place: place ?? undefined } })}
      />
      <SelectInput
        name="days"
        label={t('days')}
        value={String(search.days ?? REACH_DAYS[0])}
        onChange={(days) =>
          void navigate({ search: { ...search, days: REACH_DAYS.find((length) => String(length) === days) ?? REACH_DAYS[0] } })
        }
        options={REACH_DAYS.map((length) => ({ value: String(length), label: t(`days-${length}`) }))}
      />
    </FilterBar>
  )
}
