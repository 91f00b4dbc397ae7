import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PaperBatchPage } from '#app/features/budgets/admin/PaperBatchPage.tsx'
import { differingSheetsQuery, optionsQuery, paperBatchQuery, potsQuery, roundQuery } from '#app/features/budgets/budgets.queries.ts'
import { AppError } from '#app/lib/app-error.ts'

/** A batch of paper ballots: its sheets are printed, typed by two people and accepted. */
export const Route = createFileRoute('/admin/projects/$id_/budgets/$round_/paper/$batch')({
  staticData: { namespaces: ['budgets-admin', 'editor'] },
  loader: async ({ context: { queryClient }, params: { id, round: roundId, batch: batchId } }) => {
    const [{ data: round }, { data: batch }] = await Promise.all([
      queryClient.ensureQueryData(roundQuery(roundId)),
      queryClient.ensureQueryData(paperBatchQuery(batchId)),
      queryClient.ensureQueryData(differingSheetsQuery(batchId)),
      queryClient.ensureQueryData(potsQuery(roundId)),
      queryClient.ensureQueryData(optionsQuery(roundId)),
    ])
    if (round.relationships.project?.id !== id || batch.relationships.round?.id !== roundId) throw new AppError('not-found')
  },
  component: PaperBatchRoute,
})

function PaperBatchRoute() {
  const { id, round: roundId, batch: batchId } = Route.useParams()
  const round = useSuspenseQuery(roundQuery(roundId)).data.data
  const batch = useSuspenseQuery(paperBatchQuery(batchId)).data.data
  return <PaperBatchPage key={batchId} round={round} batch={batch} project={id} />
}
