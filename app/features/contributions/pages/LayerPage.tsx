import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { PageTitle } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { ScrollRegion } from '#app/ui/scroll-region.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ActivityView } from '../record/contributions.schema.ts'
import { ActivityBreadcrumbs } from '../parts/contribution-parts.tsx'
import { FEATURES_PER_PAGE, type LayerTableView } from '../layers/layers.schema.ts'

/** A layer of a map as a table. */
export function LayerPage({ activity, table }: { activity: ActivityView; table: LayerTableView }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { number, name, features, columns, rows, page, pages } = table
  const params = { slug: activity.project.slug, activity: activity.slug, layer: String(number) }
  const address = `/projects/${activity.project.slug}/${activity.slug}`
  const first = (page - 1) * FEATURES_PER_PAGE + 1
  const pageLink: ComponentProps<typeof Pagination>['link'] = (to, children, attributes) => (
    <Link to="/projects/$slug/$activity/layers/$layer" params={params} search={to > 1 ? { page: to } : {}} {...attributes}>
      {children}
    </Link>
  )
  return (
    <div className="page wrap">
      <ActivityBreadcrumbs activity={activity} current={<Text words={name} />} />
      <PageTitle title={<Text words={name} />} eyebrow={<Text words={activity.title} />}>
        <p>{t('layers.features', { count: features, number: format.number(features) })}</p>
      </PageTitle>
      <p className="row">
        <a href={toLocalHref(`${address}#map`)}>{t('layers.see-map')}</a>
        <a href={`${address}/layers/${number}.geojson`} download>
          {t('layers.download')}
        </a>
      </p>
      <ScrollRegion label={t('layers.table')}>
        <table className="data-table dataset-table">
          <thead>
            <tr>
              <th scope="col">{t('layers.number')}</th>
              {columns.map((column, at) => (
                <th key={at} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.number}>
                <th scope="row">{format.number(row.number)}</th>
                {row.cells.map((cell, at) => (
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Pagination
        label={t('pages.label')}
        page={page}
        pages={pages}
        previous={t('pages.previous')}
        next={t('pages.next')}
        pageLabel={(to) => t('pages.page', { number: format.number(to) })}
        count={t('pages.range', {
          first: format.number(first),
          last: format.number(Math.min(features, first + FEATURES_PER_PAGE - 1)),
          total: format.number(features),
        })}
        link={pageLink}
      />
      {table.isSimplified && <p className="page-foot">{t('layers.simplified')}</p>}
    </div>
  )
}
