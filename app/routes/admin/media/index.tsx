import { createFileRoute } from '@tanstack/react-router'
import { MediaLibrary } from '#app/features/media/admin/MediaLibrary.tsx'
import { readMediaSearch } from '#app/features/media/media-search.ts'
import { picturesQuery } from '#app/features/media/media.queries.ts'

export const Route = createFileRoute('/admin/media/')({
  validateSearch: readMediaSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(picturesQuery(deps)),
  component: Library,
})

function Library() {
  return <MediaLibrary search={Route.useSearch()} />
}
