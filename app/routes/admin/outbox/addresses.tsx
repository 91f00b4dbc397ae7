import { createFileRoute } from '@tanstack/react-router'
import { MailAddresses } from '#app/features/accounts/admin/MailAddresses.tsx'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/outbox/addresses')({
  validateSearch: readPage,
  component: AddressesPage,
})

function AddressesPage() {
  const { page = 1 } = Route.useSearch()
  return <MailAddresses page={page} />
}
