import { createFileRoute } from '@tanstack/react-router'
import { reportForm } from '#app/features/contributions/moderation/reports/reports.forms.server.ts'
import { readReportPage } from '#app/features/contributions/moderation/reports/reports.functions.ts'
import { ReportPage } from '#app/features/contributions/moderation/reports/ReportPage.tsx'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Reporting a contribution, or the reply named in the address. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/$number/report')({
  staticData: { namespaces: ['appeals', 'errors'], returnedForms: [''] },
  shouldReload: false,
  validateSearch: ({ reply }: Record<string, unknown>) => omitUndefined({ reply: readTextParam(reply, 40) }),
  loaderDeps: ({ search }) => search,
  loader: async ({ params: { slug, activity, number }, deps: { reply } }) => {
    const [page, form] = await Promise.all([readReportPage({ data: { project: slug, activity, number, reply } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: reportForm } },
  component: Page,
})

function Page() {
  const { head: _, ...props } = Route.useLoaderData()
  return <ReportPage {...props} />
}
