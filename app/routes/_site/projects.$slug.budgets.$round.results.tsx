import { createFileRoute } from '@tanstack/react-router'
import { readBudgetResults } from '#app/features/budgets/budgets.functions.ts'
import { BudgetResultsPage } from '#app/features/budgets/pages/BudgetResultsPage.tsx'
import { describeRoundPage } from '#app/features/budgets/describe-round-page.ts'
import { prepareOptionsMap } from '#app/features/budgets/pages/lazy-options-map.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'

const readPot = (value: unknown): number => (Number.isInteger(Number(value)) && Number(value) > 1 ? Number(value) : 1)

/** The certified result of a budget, one pot at a time. */
export const Route = createFileRoute('/_site/projects/$slug/budgets/$round/results')({
  staticData: { namespaces: ['budgets', 'ledger'] },
  validateSearch: ({ pot, bbox }: Record<string, unknown>) =>
    omitUndefined({ pot: readPot(pot) > 1 ? readPot(pot) : undefined, bbox: readTextParam(bbox, 60) }),
  loaderDeps: ({ search: { pot = 1, bbox } }) => ({ pot, bbox }),
  loader: async ({ params: { slug, round }, deps }) => {
    const results = await readBudgetResults({ data: { project: slug, round, ...deps } })
    await prepareOptionsMap(results.pot.map)
    return results
  },
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeRoundPage(loaderData.round, '/results', true)) : {},
  component: Page,
})

function Page() {
  return <BudgetResultsPage results={Route.useLoaderData()} />
}
