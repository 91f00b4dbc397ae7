import { createFileRoute, redirect } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { DownloadReasonPage } from '#app/features/accounts/DownloadReasonPage.tsx'

/** Asks why somebody downloads personal data: `next` is the address of the file. */
export const Route = createFileRoute('/_site/account/reason')({
  validateSearch: readNextSearch,
  beforeLoad: ({ search: { next } }) => {
    // Only files of the administration ask.
    if (!next || !/^(\/[a-zA-Z-]+)?\/admin\//.test(next)) throw redirect({ to: '/account', statusCode: 303 })
  },
  head: ({ match: { context, search } }) => buildAccountHead(context, 'download-reason', isRefused(search.next) ? REFUSED : null),
  component: Page,
})

/** The form was sent without a reason, or with too long a one. */
const isRefused = (next = '') => new URLSearchParams(next.split('?')[1]).has('reason')
const REFUSED = { form: '', values: {}, faults: [{ code: 'reason-required' }] }

function Page() {
  const { next = '' } = Route.useSearch()
  return <DownloadReasonPage key={next} address={next} />
}
