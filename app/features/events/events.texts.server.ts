import { and, eq, ne } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { events } from '#app/server/db/schema/events.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import { selectPlacedEvents } from './events.policy.server.ts'
import { listEventTexts } from './events.schema.ts'
import type { eventShape } from './managing/events.api.schema.ts'
import { updateEvent } from './managing/events.server.ts'
import { readSignUpQuestions } from './signing-up/sign-up-questions.server.ts'

/** Events with their texts and those of their questions, for the language desk. Cancelled events are left out. */
export const loadEventSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await selectPlacedEvents(tx).where(
    and(eq(events.siteId, ctx.site.id), ne(events.status, 'cancelled'), id ? eq(events.id, id) : undefined),
  )
  return rows.flatMap(({ event, project }) => {
    if (!checkPermission(ctx.viewer, 'events.edit', toPermissionTarget(project)).ok) return []
    const questions = readSignUpQuestions(event)
    return [
      {
        id: event.id,
        title: event.title,
        project: { id: project.id, title: project.title },
        isPublic: event.status === 'published' && isProjectShown(project.status),
        editor: `/admin/projects/${project.id}/events/${event.id}`,
        content: {
          titleTranslations: event.title,
          descriptionTranslations: event.description,
          placeTranslations: event.place,
          accessInfoTranslations: event.accessInfo,
          questions,
        },
        texts: listEventTexts({ ...event, questions }),
        save: (content: unknown) => updateEvent(ctx, event.id, content as UpdateInput<typeof eventShape>, event.lockVersion),
      },
    ]
  })
}
