import { createFileRoute } from '@tanstack/react-router'
import { ReportFilePage } from '#app/features/reports/ReportFilePage.tsx'
import { reportFileForm } from '#app/features/reports/reports.forms.server.ts'
import { reportFileQuery } from '#app/features/reports/reports.queries.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** A report's PDF in the background. Outside the administration, so that it needs no JavaScript. */
export const Route = createFileRoute('/_site/report-files/$id/')({
  staticData: { namespaces: ['reports'] },
  loader: ({ params, context }) => context.queryClient.ensureQueryData(reportFileQuery(params.id)),
  head: ({ loaderData, match: { context } }) => ({
    meta: [
      { title: `${loaderData?.title ?? context.i18n.t('reports:title')} · ${getSiteName(context.queryClient)}` },
      { name: 'robots', content: 'noindex' },
    ],
  }),
  server: { handlers: { POST: reportFileForm } },
  component: Page,
})

function Page() {
  return <ReportFilePage id={Route.useParams().id} />
}
