import { createFileRoute } from '@tanstack/react-router'
import { PageEditor } from '#app/features/pages/admin/PageEditor.tsx'
import { pageQuery } from '#app/features/pages/pages.queries.ts'

export const Route = createFileRoute('/admin/pages/$id')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(pageQuery(params.id)),
  component: Page,
})

function Page() {
  const { id } = Route.useParams()
  return <PageEditor key={id} id={id} />
}
