import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { OutcomeList } from '#app/features/outcomes/OutcomeList.tsx'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { getFormatter } from '#app/lib/format.ts'
import { ColumnChart } from '#app/ui/admin/column-chart.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { MapSquares } from '#app/ui/admin/map-squares.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Text } from '#app/ui/text.tsx'
import { AnswerCharts } from './AnswerCharts.tsx'
import { MapPicture } from '../places/MapPicture.tsx'
import { ACTIVITY_FORMATS } from '../results/activity-export.schema.ts'
import { activityResultsQuery } from '../results/activity-results.queries.ts'
import type { ActivityResults as Results, ResultLine, ResultSquare } from '../results/activity-results.schema.ts'

const MARKS = 6
const DAY_MS = 86_400_000

/** The figures of an activity, with its files. */
export function ActivityResults({ activity: id }: { activity: string }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const results = useSuspenseQuery(activityResultsQuery(id)).data
  const { activity, answered } = results
  const held = results.states.find(({ state }) => state === 'held')?.count ?? 0
  return (
    <>
      <PageHeader
        title={t('results.title')}
        meta={
          <Link to="/admin/projects/$id" params={{ id: activity.projectId }}>
            <Text words={activity.title} />
          </Link>
        }
        actions={
          <>
            {results.entryPath && (
              <ButtonLink kind="secondary" href={toLocalHref(results.entryPath)}>
                {t('results.enter')}
              </ButtonLink>
            )}
            <DownloadMenu results={results} />
          </>
        }
      />
      <div className="admin-stack">
        {results.isSuppressed && <Notice title={t('results.suppressed')}>{t('results.suppressed-text')}</Notice>}
        <div className="stat-cards">
          <FigureCard figure="contributions" value={format.number(results.total)} />
          <FigureCard figure="heldContributions" value={format.number(held)} />
          <FigureCard figure={results.disagrees === null ? 'supports' : 'agreements'} value={format.number(results.supports)} />
          {results.disagrees !== null && <FigureCard figure="disagreements" value={format.number(results.disagrees)} />}
          <FigureCard figure="replies" value={format.number(results.replies)} />
          <FigureCard figure="answeredContributions" value={format.number(answered.count)} />
          <FigureCard
            figure="daysToAnswer"
            value={answered.medianDays === null ? '–' : format.number(Math.round(answered.medianDays * 10) / 10)}
          />
        </div>
        {results.total === 0 ? (
          <EmptyState title={t('queue.nothing')} />
        ) : (
          <>
            <OutcomeList title={t('results.outcomes')} outcomes={results.outcomes} />
            <DailyChart days={results.days} />
            <MostSupported supported={results.supported} asksOpinion={results.disagrees !== null} />
            <div className="reach-tables">
              <LineTable
                title={t('results.by-category')}
                head={t('results.category')}
                lines={results.categories}
                none={t('results.no-category')}
              />
              {results.areas.some(({ id: area }) => area) && (
                <LineTable title={t('results.by-area')} head={t('results.area')} lines={results.areas} none={t('results.no-area')} />
              )}
              {results.statuses.length > 0 && (
                <LineTable
                  title={t('results.by-status')}
                  head={t('answer.status')}
                  lines={results.statuses}
                  none={t('results.no-status')}
                />
              )}
              <LineTable
                title={t('results.by-source')}
                head={t('results.source')}
                lines={results.sources.map((line) => ({ ...line, name: t(`sources.${line.id}`) }))}
                none=""
              />
              <LineTable
                title={t('results.by-state')}
                head={t('queue.state')}
                lines={results.states.map(({ state, count }) => ({ id: state, name: t(`states.${state}`), count }))}
                none=""
              />
            </div>
            <AnswerCharts answers={results.answers} total={results.total} />
            {results.map && <Squares map={results.map} />}
          </>
        )}
      </div>
    </>
  )
}

function DownloadMenu({ results: { activity, map, mayExportPersonal } }: { results: Results }) {
  const { t } = useTranslation('contributions-admin')
  const formats = ACTIVITY_FORMATS.filter((format) => format !== 'geojson' || map)
  const listFiles = (personal: boolean): MenuAction[] =>
    formats.map((format) => ({
      id: `${format}${personal ? '-personal' : ''}`,
      label: t(`results.formats.${format}`) + (personal ? ` ${t('results.personal')}` : ''),
      // A file, not a page: the browser must fetch it, not the router.
      onAction: () =>
        window.location.assign(
          toLocalHref(`/admin/contributions/activities/${activity.id}/download/${format}${personal ? '?personal=true' : ''}`),
        ),
    }))
  return (
    <Menu
      label={t('results.download')}
      look={{ kind: 'secondary' }}
      groups={[listFiles(false), ...(mayExportPersonal ? [listFiles(true)] : [])]}
    />
  )
}

/** Days without contributions are in the chart too. */
function fillDays(days: Results['days']): Results['days'] {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const counts = new Map(days.map(({ day, count }) => [day, count]))
  const start = Date.parse(first.day)
  return Array.from({ length: (Date.parse(last.day) - start) / DAY_MS + 1 }, (_, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return { day, count: counts.get(day) ?? 0 }
  })
}

function DailyChart({ days }: { days: Results['days'] }) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const { region } = useSite()
  // Calendar days of the site come as noon UTC, so that no time zone shifts them.
  const format = getFormatter({ language: useLanguage(), timeZone: 'UTC', region })
  const filled = fillDays(days)
  const now = `${filled.at(-1)?.day}T12:00:00Z`
  const points = filled.map(({ day }) => format.day(`${day}T12:00:00Z`, now))
  const every = Math.ceil(points.length / MARKS)
  return (
    <ColumnChart
      title={t('results.by-day')}
      pointHead={t('results.day')}
      points={points}
      marks={points.filter((_, index) => (points.length - 1 - index) % every === 0)}
      series={[{ name: t('queue.title'), values: filled.map(({ count }) => count) }]}
      format={(value) => format.number(value)}
      words={{ view: admin('chart.view'), chart: admin('chart.chart'), table: admin('chart.table') }}
    />
  )
}

function MostSupported({ supported, asksOpinion }: { supported: Results['supported']; asksOpinion: boolean }) {
  const { t } = useTranslation('contributions-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const title = t(asksOpinion ? 'results.most-agreed' : 'results.most-supported')
  return (
    <section className="reach-lines">
      <h2>{title}</h2>
      <DataTable
        caption={title}
        columns={[
          {
            id: 'title',
            head: t('queue.contribution'),
            names: true,
            cell: (row) => (
              <Link to="/admin/contributions/$id" params={{ id: row.id }} lang={row.language} dir={getDirection(row.language)}>
                {row.title || row.number}
              </Link>
            ),
          },
          {
            id: 'supports',
            head: t(asksOpinion ? 'results.agrees' : 'queue.supports'),
            align: 'end',
            cell: (row) => format.number(row.supports),
          },
          ...(asksOpinion
            ? [
                {
                  id: 'disagrees',
                  head: t('results.disagrees'),
                  align: 'end' as const,
                  cell: (row: Results['supported'][number]) => format.number(row.disagrees),
                },
              ]
            : []),
        ]}
        rows={supported}
        rowKey={(row) => row.id}
        loadingLabel={common('loading')}
        empty={<p className="meta">{t(asksOpinion ? 'results.none-agreed' : 'results.none-supported')}</p>}
      />
    </section>
  )
}

interface LineTableProps {
  title: string
  head: string
  lines: readonly ResultLine[]
  /** For what belongs to none of them. */
  none: string
}

function LineTable({ title, head, lines, none }: LineTableProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: common } = useTranslation()
  const { notShown } = useNotShown()
  const format = useFormat()
  return (
    <section className="reach-lines">
      <h2>{title}</h2>
      <DataTable
        caption={title}
        columns={[
          { id: 'name', head, names: true, cell: (row) => row.name || none },
          {
            id: 'count',
            head: t('queue.title'),
            align: 'end',
            cell: (row) => (row.count === null ? notShown : format.number(row.count)),
          },
        ]}
        rows={lines}
        rowKey={(row) => row.id}
        loadingLabel={common('loading')}
        empty={null}
      />
    </section>
  )
}

function Squares({ map }: { map: NonNullable<Results['map']> }) {
  const { t } = useTranslation('contributions-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const title = t('results.squares')
  const degrees = (square: ResultSquare) => `${square.lat.toFixed(4)}, ${square.lng.toFixed(4)}`
  return (
    <section className="reach-lines">
      <h2>{title}</h2>
      <p className="meta">{t('results.squares-text', { shown: format.number(map.shown), placed: format.number(map.placed) })}</p>
      {map.picture && (
        <MapPicture picture={map.picture} label={title}>
          <MapSquares squares={map.squares.map(({ corners, count }) => ({ corners, text: format.number(count) }))} />
        </MapPicture>
      )}
      <DataTable
        caption={title}
        columns={[
          { id: 'square', head: t('results.square'), names: true, cell: degrees },
          { id: 'area', head: t('results.area'), cell: (row) => row.area || t('results.no-area'), secondary: true, underName: true },
          { id: 'count', head: t('queue.title'), align: 'end', cell: (row) => format.number(row.count) },
        ]}
        rows={map.squares}
        rowKey={(row) => `${row.lng} ${row.lat}`}
        loadingLabel={common('loading')}
        empty={<p className="meta">{t('results.no-squares')}</p>}
      />
    </section>
  )
}
