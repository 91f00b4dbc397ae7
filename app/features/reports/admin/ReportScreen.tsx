import { today } from '@internationalized/date'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { stringifySearchParams } from '#app/lib/search-params.ts'
import { FigureNotes } from '#app/shell/admin/figure-notes.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { reportQuery } from '../reports.queries.ts'
import type { ReportView } from '../report.schema.ts'
import { findPeriodFault, type ReportSearch } from '../report.search.ts'
import { ReportBlocks } from './ReportBlocks.tsx'
import { ReportFilter } from './ReportFilter.tsx'

/** What happened in a set of projects: filter, figures, and files to take along. @param views the saved ones */
export function ReportScreen({ search, views }: { search: ReportSearch; views: ReactNode }) {
  const { t } = useTranslation('reports')
  const { t: admin } = useTranslation('admin')
  const { timeZone } = useSite()
  const fault = findPeriodFault(search, today(timeZone).toString())
  const { data, isError } = useQuery({ ...reportQuery(search), enabled: !fault })
  return (
    <div className="admin-stack report">
      <PageHeader
        title={data?.title ?? t('title')}
        meta={data?.subtitle}
        actions={<Link to="/admin/reports/reach">{t('reach-link')}</Link>}
      />
      {views}
      <ReportFilter key={JSON.stringify(search)} search={search} fault={fault} groups={data?.groupChoices ?? []} />
      {fault ? (
        <Notice kind="warning" title={t('faulty')}>
          <p>{t(`faults.${fault.fault}`)}</p>
        </Notice>
      ) : data ? (
        <Report report={data} search={search} />
      ) : isError ? (
        <EmptyState title={admin('load-failed')} />
      ) : (
        <Skeleton label={t('title')} lines={8} />
      )}
    </div>
  )
}

function Report({ report, search }: { report: ReportView; search: ReportSearch }) {
  const { t } = useTranslation('reports')
  return (
    <>
      {report.projects.length > 0 && report.remarks.length > 0 && (
        <Notice kind="info">
          {report.remarks.map((remark) => (
            <p key={remark}>{remark}</p>
          ))}
        </Notice>
      )}
      {report.projects.length === 0 && <EmptyState title={t('no-projects')}>{report.remarks.slice(0, -1).join(' ')}</EmptyState>}
      {report.projects.length > 0 && (
        <div className="report-body">
          <div className="admin-stack">
            {report.parts.map(({ id, heading, blocks, figures }) => (
              <section key={id} className="admin-panel report-part" aria-labelledby={`report-${id}`}>
                <h2 id={`report-${id}`}>{heading}</h2>
                <ReportBlocks blocks={blocks} />
                {blocks.some(({ kind }) => kind === 'table') && (
                  <a href={`/admin/reports/download/csv${stringifySearchParams({ ...search, table: id })}`}>
                    {t('take.csv')}
                    <span className="visually-hidden"> {heading}</span>
                  </a>
                )}
                {figures.length > 0 && (
                  <details className="report-figures">
                    <summary>{t('definitions')}</summary>
                    <FigureNotes figures={figures} />
                  </details>
                )}
              </section>
            ))}
            <p className="meta">{report.smallPrint}</p>
          </div>
          <TakeAlong canTypeset={report.canTypeset} search={search} />
        </div>
      )}
    </>
  )
}

function TakeAlong({ canTypeset, search }: { canTypeset: boolean; search: ReportSearch }) {
  const { t } = useTranslation('reports')
  const { languages } = useSite()
  const buildHref = (format: string, language: string) =>
    `/admin/reports/download/${format}${stringifySearchParams({ ...search, language })}`
  return (
    <aside className="admin-panel report-files" aria-labelledby="report-files">
      <h2 id="report-files">{t('take.title')}</h2>
      {!canTypeset && <p>{t('take.no-pdf')}</p>}
      {languages.map((language) => (
        <section key={language}>
          {languages.length > 1 && (
            <h3 lang={language} dir={getDirection(language)}>
              {getLanguageName(language)}
            </h3>
          )}
          {(['pdf', 'docx', 'xlsx'] as const)
            .filter((format) => format !== 'pdf' || canTypeset)
            .map((format) => (
              <ButtonLink key={format} kind="secondary" href={buildHref(format, language)}>
                {t(`take.${format}`)}
                {languages.length > 1 && <span className="visually-hidden">{t('take.in', { language: getLanguageName(language) })}</span>}
              </ButtonLink>
            ))}
        </section>
      ))}
      <Button kind="secondary" onClick={() => window.print()}>
        {t('take.print')}
      </Button>
    </aside>
  )
}
