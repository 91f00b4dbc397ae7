import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { secondStepForm } from '#app/features/accounts/second-step/second-step.forms.server.ts'
import { readSecondStep } from '#app/features/accounts/second-step/second-step.functions.ts'
import { SecondStepPage } from '#app/features/accounts/second-step/SecondStepPage.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/two-step/')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [secondStep, form] = await Promise.all([readSecondStep(), readFormState()])
    return { secondStep, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'two-step', loaderData?.form),
  server: { handlers: { POST: secondStepForm } },
  component: Page,
})

function Page() {
  return <SecondStepPage {...Route.useLoaderData()} {...Route.useSearch()} />
}
