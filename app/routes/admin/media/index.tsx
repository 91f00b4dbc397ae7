import { createFileRoute } from '@tanstack/react-router'
import { MediaLibrary } from '#app/features/media/admin/MediaLibrary.tsx'
import { readMediaSearch } from '#app/features/media/media-search.ts'
import { pagePicturesQuery, picturesQuery } from '#app/features/media/media.queries.ts'

export const Route = createFileRoute('/admin/media/')({
  validateSearch: readMediaSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    Promise.all([queryClient.ensureQueryData(picturesQuery(deps)), queryClient.ensureQueryData(pagePicturesQuery)]),
  component: Library,
})

function Library() {
  return <MediaLibrary search={Route.useSearch()} />
}
