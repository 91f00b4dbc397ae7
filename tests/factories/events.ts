import { randomBytes } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { requireEventAt } from '#app/features/events/events.policy.server.ts'
import { signUp } from '#app/features/events/signing-up/sign-up.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import type { TestRuntime } from '#tests/support/database.ts'
import { addProject, inAllLanguages } from './surveys.ts'

export const EVENT_STARTS = new Date('2026-04-20T17:00:00Z')
export const EVENT_ENDS = new Date('2026-04-20T19:00:00Z')

/** A published event, in a new project unless one is given. */
export async function addEvent(runtime: Runtime, site: Site, values: Partial<typeof events.$inferInsert> = {}) {
  const project = values.projectId ? undefined : await addProject(runtime, site)
  const id = createId()
  const row = {
    projectId: project?.id ?? '',
    slug: `event-${id}`,
    title: inAllLanguages('Walk along the river'),
    place: inAllLanguages('At the mill'),
    status: 'published' as const,
    startsAt: EVENT_STARTS,
    endsAt: EVENT_ENDS,
    ...values,
    siteId: site.id,
    id,
  }
  await runtime.database.site(site.id).tx((tx) => tx.insert(events).values(row))
  return { ...row, projectSlug: project?.slug ?? '' }
}

type Event = Awaited<ReturnType<typeof addEvent>>

export const newSending = (at: Date) => ({ id: v7({ msecs: at.getTime() }), sendKey: randomBytes(16).toString('base64url') })

interface Person {
  email?: string
  ctx?: Ctx
  answers?: Parameters<typeof signUp>[2]['readAnswers']
  codes?: readonly string[]
  remindByText?: boolean
  sending?: { id: string; sendKey: string }
}

/** Signs somebody up as the form of an event's page does. The next person comes a second later. */
export function signUpFor(runtime: TestRuntime, site: Site, event: Event, name: string, person: Person = {}) {
  const ctx = person.ctx ?? createCtx(runtime, site)
  runtime.setNow(new Date(runtime.now().getTime() + 1000))
  return signUp(ctx, (tx) => requireEventAt(ctx, tx, { project: event.projectSlug, event: event.slug }), {
    ...(person.sending ?? newSending(runtime.now())),
    name,
    email: person.email ?? `${name.toLowerCase()}-${event.id}@example.org`,
    readAnswers: person.answers ?? (() => ({})),
    ...(person.codes && { codes: person.codes }),
    ...(person.remindByText && { remindByText: true }),
  })
}

export const listRows = (runtime: Runtime, site: Site, eventId: string) =>
  runtime.database
    .site(site.id)
    .tx((tx) =>
      tx.select().from(eventSignUps).where(eq(eventSignUps.eventId, eventId)).orderBy(asc(eventSignUps.createdAt), asc(eventSignUps.id)),
    )

/** Kind and first recipient of every mail in the outbox to addresses of this event, in the order in which they were written. */
export const listMails = (runtime: Runtime, site: Site, eventId: string) =>
  runtime.database.site(site.id).tx(async (tx) => {
    const rows = await tx.select().from(outboxMails).orderBy(asc(outboxMails.createdAt), asc(outboxMails.id))
    return rows.filter(({ recipient }) => recipient.includes(eventId)).map(({ kind, recipient }) => `${kind} ${recipient.split('-')[0]}`)
  })
