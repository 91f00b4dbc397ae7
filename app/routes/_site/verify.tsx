import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { verifyForm } from '#app/features/verifications/verifications.forms.server.ts'
import { readVerifying } from '#app/features/verifications/verifications.functions.ts'
import { VerifyPage } from '#app/features/verifications/VerifyPage.tsx'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Showing that one may take part in activities for verified people. */
export const Route = createFileRoute('/_site/verify')({
  staticData: { namespaces: ['account', 'verifications', 'errors'] },
  validateSearch: ({ next, code, text }: Record<string, unknown>) =>
    omitUndefined({ next: readTextParam(next, 2000), code: readTextParam(code, 100), text: readTextParam(text, 36) }),
  loaderDeps: ({ search: { next } }) => ({ next }),
  loader: async ({ deps }) => {
    const [view, form] = await Promise.all([readVerifying({ data: deps }), readFormState()])
    return { ...view, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'verify', loaderData?.form),
  server: { handlers: { POST: verifyForm } },
  component: Page,
})

function Page() {
  const { code, text } = Route.useSearch()
  return <VerifyPage {...Route.useLoaderData()} code={code} text={text} />
}
