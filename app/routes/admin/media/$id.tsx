import { createFileRoute } from '@tanstack/react-router'
import { PictureEditor } from '#app/features/media/admin/PictureEditor.tsx'
import { pictureQuery } from '#app/features/media/media.queries.ts'

export const Route = createFileRoute('/admin/media/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(pictureQuery(params.id)),
  component: Picture,
})

function Picture() {
  const { id } = Route.useParams()
  return <PictureEditor key={id} id={id} />
}
