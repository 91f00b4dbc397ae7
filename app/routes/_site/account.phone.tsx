import { createFileRoute, notFound } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { PhonePage } from '#app/features/accounts/PhonePage.tsx'
import { phoneForm } from '#app/features/sms/phone.forms.server.ts'
import { readPhone } from '#app/features/sms/phone.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/phone')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [phone, form] = await Promise.all([readPhone(), readFormState()])
    if (!phone) throw notFound()
    return { phone, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'phone', loaderData?.form),
  server: { handlers: { POST: phoneForm } },
  component: Page,
})

function Page() {
  return <PhonePage {...Route.useLoaderData()} {...Route.useSearch()} />
}
