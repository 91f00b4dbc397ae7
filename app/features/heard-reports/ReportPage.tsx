import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { HomeBlockView } from '#app/features/homepage/homepage.schema.ts'
import type { HeardReportKind } from '#app/lib/vocabulary/heard.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { ProjectBreadcrumbs } from '#app/shell/project-breadcrumbs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ReportFacts, ReportView } from './heard-reports.schema.ts'
import { listContents } from './report-contents.ts'

interface ReportPageProps {
  project: ReportView['project']
  kind: HeardReportKind
  blocks: readonly HomeBlockView[]
  render: (block: HomeBlockView) => ReactNode
  /** Undefined for a draft. */
  published?: Pick<ReportView, 'facts' | 'versions' | 'hasDecisions' | 'canTypeset'>
  /** Wraps each block; the preview uses it to mark where each block is. */
  around?: (block: HomeBlockView, shown: ReactNode) => ReactNode
}

/** A project's report: what was heard, what was decided, with the figures of the day it was published. */
export function ReportPage({ project, kind, blocks, render, published, around = (_, shown) => shown }: ReportPageProps) {
  const { t } = useTranslation('heard-report')
  return (
    <div className="page report-page">
      <div className="wrap">
        <ProjectBreadcrumbs project={project} withProjects current={t(`kinds.${kind}`)} />
        <PageTitle title={t(`kinds.${kind}`)} lead={<Text words={project.title} />}>
          {published && <Facts facts={published.facts} />}
        </PageTitle>
        {published && <Changes slug={project.slug} facts={published.facts} newest={published.versions[0]?.version} />}
        {published && <Files slug={project.slug} version={published.facts.version} canTypeset={published.canTypeset} />}
        <Contents blocks={blocks} />
      </div>
      {blocks.map((block) => (
        <div key={block.id} id={block.id} className="report-block">
          {/* Its heading has an id of its own. */}
          {around(block, <Suspense>{render({ ...block, id: `${block.id}-title` })}</Suspense>)}
        </div>
      ))}
      {published && <Footer slug={project.slug} {...published} />}
    </div>
  )
}

function Facts({ facts: { version, asOf, answers } }: { facts: ReportFacts }) {
  const { t } = useTranslation('heard-report')
  const format = useFormat()
  return (
    <p className="meta">
      {t('version', { version: format.number(version), date: format.date(asOf) })}.{' '}
      {t('as-of', { count: answers, number: format.number(answers), date: format.date(asOf) })}
    </p>
  )
}

interface ChangesProps {
  slug: string
  facts: ReportFacts
  newest: number | undefined
}

function Changes({ slug, facts: { version, status, gone }, newest = version }: ChangesProps) {
  const { t } = useTranslation('heard-report')
  const format = useFormat()
  return (
    <>
      {status === 'superseded' && (
        <Notice kind="warning" title={t('superseded', { version: format.number(version), newest: format.number(newest) })}>
          <Link to="/projects/$slug/report" params={{ slug }}>
            {t('to-newest')}
          </Link>
        </Notice>
      )}
      {gone > 0 && <Notice title={t('changed.report', { count: gone, number: format.number(gone) })} />}
    </>
  )
}

function Files({ slug, version, canTypeset }: { slug: string; version: number; canTypeset: boolean }) {
  const { t } = useTranslation('heard-report')
  const toAddress = (format: string) => toLocalHref(`/projects/${slug}/report/${version}/download/${format}`)
  return (
    <ul className="report-files no-print">
      {canTypeset && (
        <li>
          <a href={toAddress('pdf')} download>
            {t('files.pdf')}
          </a>
        </li>
      )}
      <li>
        <a href={toAddress('docx')} download>
          {t('files.docx')}
        </a>
      </li>
    </ul>
  )
}

function Contents({ blocks }: { blocks: readonly HomeBlockView[] }) {
  const { t } = useTranslation('heard-report')
  const { t: participant } = useTranslation('participant')
  const entries = listContents(blocks, participant('home.timeline'))
  if (entries.length < 2) return null
  return (
    <nav className="report-contents" aria-labelledby="report-contents">
      <h2 id="report-contents">{t('contents')}</h2>
      <ol>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <Text words={title} />
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Footer({ slug, facts, versions, hasDecisions }: NonNullable<ReportPageProps['published']> & { slug: string }) {
  const { t } = useTranslation('heard-report')
  const { t: heard } = useTranslation('heard')
  const format = useFormat()
  const others = versions.filter(({ version }) => version !== facts.version)
  return (
    <div className="wrap report-notes">
      <p>
        {heard('frozen', { date: format.date(facts.asOf) })} {t('small')}
      </p>
      {hasDecisions && (
        <p>
          <Link to="/projects/$slug/decisions" params={{ slug }}>
            {t('to-decisions')}
          </Link>
        </p>
      )}
      <p>
        {heard('own')} <Link to="/receipt">{heard('own-link')}</Link> {heard('own-text')}
      </p>
      {others.length > 0 && (
        <section aria-labelledby="report-versions">
          <h2 id="report-versions">{t('versions')}</h2>
          <ul>
            {others.map(({ version, asOf, status }) => (
              <li key={version}>
                <Link to="/projects/$slug/report/$version" params={{ slug, version: String(version) }}>
                  {t('version', { version: format.number(version), date: format.date(asOf) })}
                </Link>
                {status === 'published' && ` (${t('newest')})`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
