import { createFileRoute } from '@tanstack/react-router'
import { LanguageDesk } from '#app/features/translations/admin/LanguageDesk.tsx'
import { deskQuery } from '#app/features/translations/translations.queries.ts'
import { readDeskSearch } from '#app/features/translations/translations.schema.ts'

export const Route = createFileRoute('/admin/languages/')({
  staticData: { namespaces: ['translations'] },
  validateSearch: readDeskSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => queryClient.ensureQueryData(deskQuery(deps)),
  component: Languages,
})

function Languages() {
  return <LanguageDesk search={Route.useSearch()} />
}
