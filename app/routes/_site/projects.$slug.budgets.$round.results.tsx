import { createFileRoute } from '@tanstack/react-router'
import { readBudgetResults } from '#app/features/budgets/budgets.functions.ts'
import { BudgetResultsPage } from '#app/features/budgets/pages/BudgetResultsPage.tsx'
import { describeRoundPage } from '#app/features/budgets/describe-round-page.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'

const readPot = (value: unknown): number => (Number.isInteger(Number(value)) && Number(value) > 1 ? Number(value) : 1)

/** The certified result of a budget, one pot at a time. */
export const Route = createFileRoute('/_site/projects/$slug/budgets/$round/results')({
  staticData: { namespaces: ['budgets', 'ledger'] },
  validateSearch: ({ pot }: Record<string, unknown>): { pot?: number } => (readPot(pot) > 1 ? { pot: readPot(pot) } : {}),
  loaderDeps: ({ search: { pot = 1 } }) => ({ pot }),
  loader: ({ params: { slug, round }, deps: { pot } }) => readBudgetResults({ data: { project: slug, round, pot } }),
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, describeRoundPage(loaderData.round, '/results', true)) : {},
  component: Page,
})

function Page() {
  return <BudgetResultsPage results={Route.useLoaderData()} />
}
