import { createFileRoute } from '@tanstack/react-router'
import { ActivityLedgerPage } from '#app/features/contributions/pages/ActivityLedgerPage.tsx'
import { readLedgerPage } from '#app/features/contributions/pages/ledger-page.functions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'

/** The public ledger of an activity. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/ledger')({
  staticData: { namespaces: ['contributions', 'ledger'] },
  loader: ({ params: { slug, activity } }) => readLedgerPage({ data: { project: slug, activity } }),
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  component: Page,
})

function Page() {
  const { activity, ledger } = Route.useLoaderData()
  return <ActivityLedgerPage activity={activity} ledger={ledger} />
}
