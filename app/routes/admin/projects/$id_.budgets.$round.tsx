import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { PlaceOnMap } from '#app/features/areas/admin/PlaceOnMap.tsx'
import type { OptionMapProps } from '#app/features/budgets/admin/EditOption.tsx'
import { type VerificationFieldsProps } from '#app/features/budgets/admin/EditRound.tsx'
import { RoundEditor } from '#app/features/budgets/admin/RoundEditor.tsx'
import {
  optionsQuery,
  countsQuery,
  overridesQuery,
  paperBatchesQuery,
  potsQuery,
  resultsQuery,
  roundQuery,
} from '#app/features/budgets/budgets.queries.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { VerificationFields } from '#app/features/verifications/admin/VerificationFields.tsx'
import { AppError } from '#app/lib/app-error.ts'

/** A round of participatory budgeting. */
export const Route = createFileRoute('/admin/projects/$id_/budgets/$round')({
  staticData: { namespaces: ['budgets-admin', 'editor', 'verifications', 'verifications-admin', 'teamwork', 'areas-admin'] },
  loader: async ({ context: { queryClient }, params: { id, round: roundId } }) => {
    const [{ data: round }] = await Promise.all([
      queryClient.ensureQueryData(roundQuery(roundId)),
      queryClient.ensureQueryData(projectQuery(id)),
      queryClient.ensureQueryData(potsQuery(roundId)),
      queryClient.ensureQueryData(optionsQuery(roundId)),
      queryClient.ensureQueryData(resultsQuery(roundId)),
      queryClient.ensureQueryData(countsQuery(roundId)),
      queryClient.ensureQueryData(overridesQuery(roundId)),
    ])
    if (round.relationships.project?.id !== id) throw new AppError('not-found')
    if (!round.meta.can.update) throw new AppError('forbidden')
    if (round.paper !== 'none') await queryClient.ensureQueryData(paperBatchesQuery(roundId))
  },
  component: RoundRoute,
})

const renderVerification = (fields: VerificationFieldsProps) => <VerificationFields {...fields} />
const renderMap = (fields: OptionMapProps) => <PlaceOnMap {...fields} />

function RoundRoute() {
  const { id, round } = Route.useParams()
  const { data: project } = useSuspenseQuery(projectQuery(id)).data
  return (
    <RoundEditor
      key={round}
      id={round}
      project={project}
      comments={<CommentsButton kind="budget" id={round} />}
      renderVerification={renderVerification}
      renderMap={renderMap}
    />
  )
}
