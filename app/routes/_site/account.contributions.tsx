import { createFileRoute } from '@tanstack/react-router'
import { readOwnContributions } from '#app/features/contributions/own/own-list.functions.ts'
import { OwnContributionsPage } from '#app/features/contributions/pages/OwnContributionsPage.tsx'
import { omitUndefined, readIntegerParam } from '#app/lib/search-params.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/_site/account/contributions')({
  staticData: { namespaces: ['account', 'contributions', 'errors'] },
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } => omitUndefined({ page: readIntegerParam(page, 2, 10_000) }),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps: { page } }) => readOwnContributions({ data: { page } }),
  head: ({ match: { context } }) => ({
    meta: [
      { title: `${context.i18n.t('contributions:own.title')} · ${getSiteName(context.queryClient)}` },
      { name: 'robots', content: 'noindex' },
    ],
  }),
  component: Page,
})

function Page() {
  const { page = 1 } = Route.useSearch()
  return <OwnContributionsPage {...Route.useLoaderData()} page={page} />
}
