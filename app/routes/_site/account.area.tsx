import { createFileRoute, notFound } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { HomeAreaPage } from '#app/features/accounts/HomeAreaPage.tsx'
import { homeAreaForm } from '#app/features/areas/home-area.forms.server.ts'
import { readHomeArea } from '#app/features/areas/home-area.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/area')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [home, form] = await Promise.all([readHomeArea(), readFormState()])
    if (!home) throw notFound()
    return { home, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'area', loaderData?.form),
  server: { handlers: { POST: homeAreaForm } },
  component: Page,
})

function Page() {
  return <HomeAreaPage {...Route.useLoaderData()} {...Route.useSearch()} />
}
