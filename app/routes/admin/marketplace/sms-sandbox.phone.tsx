import { createFileRoute } from '@tanstack/react-router'
import { Handset } from '#app/features/sms/admin/Handset.tsx'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/marketplace/sms-sandbox/phone')({
  staticData: { namespaces: ['sms'] },
  validateSearch: (search: Record<string, unknown>) => omitUndefined({ number: readTextParam(search['number'], 40) }),
  component: HandsetPage,
})

function HandsetPage() {
  const { number = '' } = Route.useSearch()
  return <Handset key={number} number={number} />
}
