import { createFileRoute } from '@tanstack/react-router'
import { checkForm } from '#app/features/budgets/budgets.forms.server.ts'
import { readBallot } from '#app/features/budgets/budgets.functions.ts'
import { CheckBallotPage } from '#app/features/budgets/pages/CheckBallotPage.tsx'
import { describeRoundPage } from '#app/features/budgets/describe-round-page.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Looking at one's ballot once more, and casting it. */
export const Route = createFileRoute('/_site/projects/$slug/budgets/$round/check')({
  staticData: { namespaces: ['budgets', 'errors'] },
  loader: async ({ params: { slug, round } }) => {
    const [ballot, form] = await Promise.all([readBallot({ data: { project: slug, round } }), readFormState()])
    return { ballot, form }
  },
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeRoundPage(loaderData.ballot.round, '/check')) : {},
  server: { handlers: { POST: checkForm } },
  component: Page,
})

function Page() {
  return <CheckBallotPage {...Route.useLoaderData()} />
}
