import { createFileRoute } from '@tanstack/react-router'
import { PersonPage } from '#app/features/people/admin/PersonPage.tsx'
import { readPersonSearch } from '#app/features/people/activity.schema.ts'
import { activityQuery, personNotesQuery } from '#app/features/people/people.queries.ts'
import { personQuery, personRolesQuery } from '#app/features/accounts/people.queries.ts'
import { PersonVerifications } from '#app/features/verifications/admin/PersonVerifications.tsx'
import { AboutPerson } from '#app/features/profile/admin/AboutPerson.tsx'
import { profileAnswersQuery, profileQuestionsQuery } from '#app/features/profile/profile.queries.ts'
import { personVerificationsQuery } from '#app/features/verifications/verifications.queries.ts'
import { useViewer } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/admin/people/$id')({
  staticData: { namespaces: ['people', 'verifications', 'verifications-admin'] },
  validateSearch: readPersonSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { id }, deps }) =>
    Promise.all([
      queryClient.ensureQueryData(personQuery(id)),
      queryClient.ensureQueryData(personRolesQuery(id)),
      queryClient.ensureQueryData(activityQuery(id, deps)),
      queryClient.ensureQueryData(personNotesQuery(id)),
      queryClient.ensureQueryData(personVerificationsQuery(id)),
      queryClient.ensureQueryData(profileQuestionsQuery),
      queryClient.ensureQueryData(profileAnswersQuery([id])),
    ]),
  component: Person,
})

function Person() {
  const { id } = Route.useParams()
  const isSiteAdmin = useViewer()?.roleName === 'site_admin'
  return (
    <PersonPage
      key={id}
      id={id}
      search={Route.useSearch()}
      about={<AboutPerson id={id} maySeeSensitive={isSiteAdmin} />}
      verifications={isSiteAdmin && <PersonVerifications id={id} />}
    />
  )
}
