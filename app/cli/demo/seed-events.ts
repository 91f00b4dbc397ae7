import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { insertAll } from './insert-rows.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

const HOUR_MS = 3_600_000
/** Residents with an account signed up over this many days. */
const SIGN_UP_DAYS = 9

/** Events to sign up for: those who came first have a place, the others wait. */
export async function seedEvents({ tx, siteId, content, calendar }: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  for (const [at, event] of (content.events ?? []).entries()) {
    const project = placed.projects.find((one) => one.project.slug === event.project)
    if (!project) continue
    const id = createId()
    const startsAt = calendar.at(event.day, event.hour)
    const going = Math.min(event.capacity, event.signUps)
    await tx.insert(events).values({
      siteId,
      id,
      projectId: project.id,
      slug: event.slug,
      title: event.title,
      description: event.description,
      place: event.place,
      accessInfo: event.accessInfo,
      ...buildSearchFields(event.title, event.description, event.place, event.accessInfo),
      questions: event.questions ?? [],
      status: 'published',
      startsAt,
      endsAt: new Date(startsAt.getTime() + event.hours * HOUR_MS),
      capacity: event.capacity,
      going,
      waiting: event.signUps - going,
      createdAt: calendar.at(-SIGN_UP_DAYS - 1, 9),
      updatedAt: calendar.at(-SIGN_UP_DAYS - 1, 9),
    })
    // Each event has other people.
    const residents = people.participants.slice(1 + at * 40, 1 + at * 40 + event.signUps)
    await insertAll(
      tx,
      eventSignUps,
      residents.map(({ id: userId, login, email, language }, number) => ({
        siteId,
        id: createId(),
        eventId: id,
        userId,
        name: login,
        email,
        language,
        answers: event.answer ? event.answer(number) : {},
        state: number < going ? ('going' as const) : ('waiting' as const),
        createdAt: calendar.at(-SIGN_UP_DAYS + Math.floor((number * (SIGN_UP_DAYS - 1)) / event.signUps), 10, number),
      })),
    )
  }
}
