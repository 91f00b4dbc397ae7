import { createFileRoute } from '@tanstack/react-router'
import { OwnAnswersPage } from '#app/features/surveys/answering/OwnAnswers.tsx'
import { readOwnAnswers } from '#app/features/surveys/answering/answering.functions.ts'
import { readChoiceParam, omitUndefined, readIntegerParam } from '#app/lib/search-params.ts'
import { getSiteName } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/_site/account/answers/')({
  staticData: { namespaces: ['account', 'errors', 'survey'] },
  validateSearch: ({ page, done }: Record<string, unknown>): { page?: number; done?: 'withdrawn' } =>
    omitUndefined({ page: readIntegerParam(page, 2, 10_000), done: readChoiceParam(done, ['withdrawn']) }),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps: { page } }) => readOwnAnswers({ data: { page } }),
  head: ({ match: { context } }) => ({
    meta: [
      { title: `${context.i18n.t('survey:own.title')} · ${getSiteName(context.queryClient)}` },
      { name: 'robots', content: 'noindex' },
    ],
  }),
  component: Page,
})

function Page() {
  const { page = 1, done } = Route.useSearch()
  return <OwnAnswersPage {...Route.useLoaderData()} page={page} withdrawn={done === 'withdrawn'} />
}
