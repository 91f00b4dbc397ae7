import { createFileRoute } from '@tanstack/react-router'
import { ballotReceiptForm } from '#app/features/budgets/budgets.forms.server.ts'
import { readBallotReceipt } from '#app/features/budgets/budgets.functions.ts'
import { BallotReceiptPage } from '#app/features/budgets/pages/BallotReceiptPage.tsx'
import { describeRoundPage } from '#app/features/budgets/describe-round-page.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** The receipt of a ballot. */
export const Route = createFileRoute('/_site/projects/$slug/budgets/$round/receipt')({
  staticData: { namespaces: ['budgets', 'errors', 'ledger', 'receipt'] },
  loader: async ({ params: { slug, round } }) => {
    const [page, form] = await Promise.all([readBallotReceipt({ data: { project: slug, round } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeRoundPage(loaderData.round, '/receipt')) : {},
  server: { handlers: { POST: ballotReceiptForm } },
  component: Page,
})

function Page() {
  return <BallotReceiptPage {...Route.useLoaderData()} />
}
