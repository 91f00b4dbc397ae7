import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { BarChart } from '#app/ui/bar-chart.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { ScrollRegion } from '#app/ui/scroll-region.tsx'
import type { ReportBlock, ReportChart, ReportTable } from '../report.schema.ts'
import type { SharedReport } from './report-links.server.ts'

/** A report behind a link: all its figures are tables, so it needs no script. */
export function SharedReportPage({ shared }: { shared: SharedReport }) {
  const { t } = useTranslation('reports')
  if (!shared.report) return <EndedLink maker={shared.maker} contact={shared.contact} />
  const { report, maker } = shared
  return (
    <div className="page wrap-narrow">
      <PageTitle eyebrow={t('shared.eyebrow', { maker })} title={report.title} lead={report.subtitle} />
      <div className="stack shared-report">
        {report.remarks.length > 0 && (
          <Notice>
            {report.remarks.map((remark) => (
              <p key={remark}>{remark}</p>
            ))}
          </Notice>
        )}
        {report.parts.map(({ id, heading, blocks }) => (
          <section key={id} className="stack" aria-labelledby={`report-${id}`}>
            <h2 id={`report-${id}`}>{heading}</h2>
            {blocks.map((block, index) => (
              <Block key={index} block={block} />
            ))}
          </section>
        ))}
        <p className="meta">{report.smallPrint}</p>
      </div>
    </div>
  )
}

function EndedLink({ maker, contact }: { maker: string | null; contact: string | null }) {
  const { t } = useTranslation('reports')
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('shared.ended')} lead={maker ? t('shared.ask', { maker }) : t('shared.ask-sender')} />
      {contact && (
        <p>
          {t('shared.or-write')} <a href={`mailto:${contact}`}>{contact}</a>
        </p>
      )}
    </div>
  )
}

function Block({ block }: { block: ReportBlock }) {
  switch (block.kind) {
    case 'lead':
      return <p className="lead">{block.text}</p>
    case 'text':
    case 'note':
      return <p className="meta">{block.text}</p>
    case 'heading':
      return <h3>{block.text}</h3>
    case 'terms':
      return (
        <dl className="shared-report-findings">
          {block.terms.map(({ term, meaning }, at) => (
            <div key={at}>
              <dt>{term}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )
    case 'bars':
      return <Bars chart={block} />
    case 'map':
      return (
        <>
          <img src={`data:image/svg+xml,${encodeURIComponent(block.svg ?? '')}`} alt={block.alternative} className="shared-report-map" />
          {block.picture.credit && <p className="meta">{block.picture.credit}</p>}
        </>
      )
    case 'columns':
      return null
    case 'table':
      return <Table table={block} />
  }
}

function Bars({ chart: { caption, values } }: { chart: ReportChart }) {
  const { t } = useTranslation('reports')
  return (
    <BarChart
      title={caption}
      heads={{ label: t('heads.step'), bar: t('heads.share'), count: t('heads.people') }}
      bars={values.map(({ label, value, text, note }) => ({ label, count: value, counted: note ? `${text}, ${note}` : text }))}
    />
  )
}

function Table({ table: { caption, heads, rows, hasShownCaption, textColumns = 1 } }: { table: ReportTable }) {
  return (
    <ScrollRegion label={caption}>
      <table className="data-table">
        <caption className={hasShownCaption ? undefined : 'visually-hidden'}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={column} scope="col" className={column < textColumns ? undefined : 'number'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell.text}
                  </th>
                ) : (
                  <td key={column} className={column < textColumns ? undefined : 'number'}>
                    {cell.href === undefined ? cell.text : <a href={toLocalHref(cell.href)}>{cell.text}</a>}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
