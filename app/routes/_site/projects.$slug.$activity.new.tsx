import { createFileRoute } from '@tanstack/react-router'
import { writeForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readWriting } from '#app/features/contributions/contributions.functions.ts'
import { WritePage } from '#app/features/contributions/WritePage.tsx'
import { buildContributionHead } from '#app/features/contributions/contribution-head.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Writing a contribution. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/new')({
  staticData: { namespaces: ['contributions', 'errors'] },
  shouldReload: false,
  loader: async ({ params: { slug, activity } }) => {
    const [page, form] = await Promise.all([readWriting({ data: { project: slug, activity } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => {
    if (!loaderData) return {}
    const { activity, form } = loaderData
    const title = match.context.i18n.t(`contributions:kinds.${activity.kind}.add`)
    return buildContributionHead({ matches, match }, { activity, title, path: '/new', form })
  },
  server: { handlers: { POST: writeForm } },
  component: Page,
})

function Page() {
  return <WritePage {...Route.useLoaderData()} />
}
