import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ExtraQuestions } from '#app/features/contributions/admin/ExtraQuestions.tsx'
import type { QuestionFieldsProps } from '#app/features/events/admin/EditEvent.tsx'
import { EventEditor } from '#app/features/events/admin/EventEditor.tsx'
import { eventQuery } from '#app/features/events/events.queries.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { AppError } from '#app/lib/app-error.ts'

/** An event with the people who signed up. */
export const Route = createFileRoute('/admin/projects/$id_/events/$event/')({
  staticData: { namespaces: ['events-admin', 'editor', 'contributions-admin', 'teamwork'] },
  loader: async ({ context: { queryClient }, params: { id, event: eventId } }) => {
    const [{ data: event }] = await Promise.all([
      queryClient.ensureQueryData(eventQuery(eventId)),
      queryClient.ensureQueryData(projectQuery(id)),
    ])
    if (event.relationships.project?.id !== id) throw new AppError('not-found')
    if (!event.meta.can.update) throw new AppError('forbidden')
  },
  component: EventRoute,
})

/** The editor of an activity's extra questions: here only the team sees the answers. */
const renderQuestions = ({ questions, onChange, words }: QuestionFieldsProps) => (
  <ExtraQuestions
    isForTeam
    questions={questions.map(({ removed, ...question }) => ({ ...question, shownTo: 'staff', ...(removed && { archived: true }) }))}
    onChange={(changed) =>
      onChange(
        changed.map(({ shownTo: _audience, archived, ...question }) => ({ ...question, ...(archived && { removed: true as const }) })),
      )
    }
    words={{ ...words, messageOf: (name) => words.messageOf(name.replace(/^fields/, 'questions')) }}
  />
)

function EventRoute() {
  const { id, event } = Route.useParams()
  const { data: project } = useSuspenseQuery(projectQuery(id)).data
  return (
    <EventEditor
      key={event}
      id={event}
      project={project}
      comments={<CommentsButton kind="event" id={event} />}
      renderQuestions={renderQuestions}
    />
  )
}
