import { createFileRoute } from '@tanstack/react-router'
import { AppealPage } from '#app/features/contributions/moderation/appeals/AppealPage.tsx'
import { appealForm } from '#app/features/contributions/moderation/appeals/appeals.forms.server.ts'
import { readAppealPage } from '#app/features/contributions/moderation/appeals/appeals.functions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** A moderator's decision, for whom it concerns, and asking somebody else to look again. */
export const Route = createFileRoute('/_site/appeals/$decision')({
  staticData: { namespaces: ['appeals', 'errors'], returnedForms: ['', 'find'] },
  shouldReload: false,
  loader: async ({ params: { decision } }) => {
    const [page, form] = await Promise.all([readAppealPage({ data: { decision } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: appealForm } },
  component: Page,
})

function Page() {
  const { head: _, ...props } = Route.useLoaderData()
  return <AppealPage {...props} />
}
