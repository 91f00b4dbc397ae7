import { createFileRoute } from '@tanstack/react-router'
import { PersonPage } from '#app/features/people/admin/PersonPage.tsx'
import { activityQuery } from '#app/features/people/people.queries.ts'
import { personQuery, personRolesQuery } from '#app/features/accounts/people.queries.ts'
import { PersonVerifications } from '#app/features/verifications/admin/PersonVerifications.tsx'
import { AboutPerson } from '#app/features/profile/admin/AboutPerson.tsx'
import { profileAnswersQuery, profileQuestionsQuery } from '#app/features/profile/profile.queries.ts'
import { personVerificationsQuery } from '#app/features/verifications/verifications.queries.ts'
import { useViewer } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/admin/people/$id')({
  staticData: { namespaces: ['people', 'verifications', 'verifications-admin'] },
  loader: ({ context: { queryClient }, params: { id } }) =>
    Promise.all([
      queryClient.ensureQueryData(personQuery(id)),
      queryClient.ensureQueryData(personRolesQuery(id)),
      queryClient.ensureQueryData(activityQuery(id)),
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
      about={<AboutPerson id={id} maySeeSensitive={isSiteAdmin} />}
      verifications={isSiteAdmin && <PersonVerifications id={id} />}
    />
  )
}
