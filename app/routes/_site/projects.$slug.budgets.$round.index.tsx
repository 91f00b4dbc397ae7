import { createFileRoute } from '@tanstack/react-router'
import { BALLOT_ORDERS } from '#app/features/budgets/budgets.schema.ts'
import { choiceForm } from '#app/features/budgets/budgets.forms.server.ts'
import { readBallot } from '#app/features/budgets/budgets.functions.ts'
import { BallotPage } from '#app/features/budgets/pages/BallotPage.tsx'
import { describeRoundPage } from '#app/features/budgets/describe-round-page.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'
import { prepareOptionsMap } from '#app/features/budgets/pages/lazy-options-map.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'

/** Choosing what to vote for. */
export const Route = createFileRoute('/_site/projects/$slug/budgets/$round/')({
  staticData: { namespaces: ['budgets', 'errors'] },
  validateSearch: ({ order, bbox }: Record<string, unknown>) =>
    omitUndefined({ order: readChoiceParam(order, BALLOT_ORDERS), bbox: readTextParam(bbox, 60) }),
  loaderDeps: ({ search: { order, bbox } }) => ({ order, bbox }),
  loader: async ({ params: { slug, round }, deps: { order, bbox } }) => {
    const [ballot, form] = await Promise.all([readBallot({ data: { project: slug, round, order, bbox } }), readFormState()])
    await prepareOptionsMap(ballot.map)
    return { ballot, form }
  },
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeRoundPage(loaderData.ballot.round, '', true)) : {},
  server: { handlers: { POST: choiceForm } },
  component: Page,
})

function Page() {
  return <BallotPage {...Route.useLoaderData()} />
}
