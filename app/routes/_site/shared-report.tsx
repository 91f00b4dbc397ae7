import { createFileRoute } from '@tanstack/react-router'
import { readLinkSearch } from '#app/features/accounts/accounts.search.ts'
import { SharedReportPage } from '#app/features/reports/views/SharedReportPage.tsx'
import { openSharedReport } from '#app/features/reports/views/shared-report.functions.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

/** A report outside the administration, for whoever has its link. */
export const Route = createFileRoute('/_site/shared-report')({
  staticData: { namespaces: ['reports'] },
  validateSearch: readLinkSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: ({ deps: { token } }) => openSharedReport({ data: { token } }),
  head: ({ loaderData, match: { context } }) => {
    const title = loaderData?.report?.title ?? context.i18n.t('reports:shared.ended')
    return {
      meta: [
        { title: `${title} · ${getSiteName(context.queryClient)}` },
        { name: 'robots', content: 'noindex' },
        { name: 'referrer', content: 'same-origin' },
      ],
    }
  },
  component: Page,
})

function Page() {
  return <SharedReportPage shared={Route.useLoaderData()} />
}
