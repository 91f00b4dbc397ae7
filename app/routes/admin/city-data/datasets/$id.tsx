import { createFileRoute } from '@tanstack/react-router'
import { DatasetEditor } from '#app/features/opencities/admin/DatasetEditor.tsx'
import { datasetQuery } from '#app/features/opencities/connectors.queries.ts'

export const Route = createFileRoute('/admin/city-data/datasets/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(datasetQuery(params.id)),
  component: OneDataset,
})

function OneDataset() {
  const { id } = Route.useParams()
  return <DatasetEditor key={id} id={id} />
}
