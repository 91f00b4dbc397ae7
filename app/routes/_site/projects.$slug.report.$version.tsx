import { createFileRoute } from '@tanstack/react-router'
import { readReport } from '#app/features/heard-reports/heard-reports.functions.ts'
import { parseVersion } from '#app/features/heard-reports/heard-reports.schema.ts'
import { ReportPage } from '#app/features/heard-reports/ReportPage.tsx'
import { prepareBlocks } from '#app/features/homepage/block-views.tsx'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { renderReportBlock } from '../-report-blocks.tsx'

/** A project’s report in one version, which stays when a later one supersedes it. */
export const Route = createFileRoute('/_site/projects/$slug/report/$version')({
  staticData: { namespaces: ['heard', 'heard-report'] },
  loader: async ({ params }) => {
    const report = await readReport({ data: { slug: params.slug, version: parseVersion(params.version) } })
    await prepareBlocks(report.blocks)
    return report
  },
  head: ({ matches, match, loaderData: report }) => {
    if (!report) return {}
    const { i18n } = match.context
    const { project, kind, facts } = report
    return buildPageHead(
      { matches, match },
      {
        title: i18n.t('heard-report:head-title', { title: i18n.t(`heard-report:kinds.${kind}`), project: project.title.text }),
        description: i18n.t('heard-report:description', { project: project.title.text }),
        path: `/projects/${project.slug}/report/${facts.version}`,
        card: `project/${project.slug}`,
        hidden: facts.status === 'superseded',
      },
    )
  },
  component: Report,
})

function Report() {
  const { project, kind, blocks, ...published } = Route.useLoaderData()
  return <ReportPage project={project} kind={kind} blocks={blocks} render={renderReportBlock} published={published} />
}
