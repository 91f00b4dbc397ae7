import { createFileRoute } from '@tanstack/react-router'
import { Handset } from '#app/features/sms/admin/Handset.tsx'
import { given, textParam } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/marketplace/sms-sandbox/phone')({
  staticData: { namespaces: ['sms'] },
  validateSearch: (search: Record<string, unknown>) => given({ number: textParam(search['number'], 40) }),
  component: HandsetPage,
})

function HandsetPage() {
  const { number = '' } = Route.useSearch()
  return <Handset key={number} number={number} />
}
