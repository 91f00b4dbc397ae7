import { createFileRoute } from '@tanstack/react-router'
import { writeForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readWriting } from '#app/features/contributions/contributions.functions.ts'
import { WritePage } from '#app/features/contributions/pages/WritePage.tsx'
import { LATE_FORM } from '#app/features/contributions/record/contributions.schema.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Writing a contribution. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/new')({
  staticData: { namespaces: ['contributions', 'errors'], returnedForms: ['', LATE_FORM] },
  shouldReload: false,
  loader: async ({ params: { slug, activity } }) => {
    const [page, form] = await Promise.all([readWriting({ data: { project: slug, activity } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: writeForm } },
  component: Page,
})

function Page() {
  const { head: _, ...page } = Route.useLoaderData()
  return <WritePage {...page} />
}
