import { and, asc, count, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { loadKnownProjects } from '#app/features/projects/projects.admin-list.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { checkTranslations } from '#app/server/translations.ts'
import { type EventRow, knownEvents, lockEvent, type PlacedEvent, requireEventFor, selectPlacedEvents } from '../events.policy.server.ts'
import { listEventTexts } from '../events.schema.ts'
import { getEventPhase } from '../events.state.ts'
import { type EventMail, mailSignUp } from '../signing-up/event-mails.server.ts'
import { countPlaces, giveFreePlaces } from '../signing-up/places.server.ts'
import { renewReminders } from '../signing-up/text-reminder.server.ts'
import { prepareSignUpQuestions, readSignUpQuestions } from '../signing-up/sign-up-questions.server.ts'
import type { eventShape } from './events.api.schema.ts'

/** An event as the API shows it. */
export interface EventRecord extends PlacedEvent {
  id: string
}

const toRecord = (placed: PlacedEvent): EventRecord => ({ ...placed, id: placed.event.id })

export const loadEvents = (ctx: Ctx, ids: readonly string[]): Promise<EventRecord[]> =>
  ctx.db.read(async (tx) => (await selectPlacedEvents(tx).where(and(knownEvents(ctx), inArray(events.id, [...ids])))).map(toRecord))

export const listEvents = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof eventShape>): Promise<ListResult<EventRecord>> =>
  ctx.db.read(async (tx) => {
    const where = and(knownEvents(ctx), filter.project ? eq(events.projectId, filter.project) : undefined)
    const [counted] = await tx
      .select({ total: count() })
      .from(events)
      .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))
      .where(where)
    const rows = await selectPlacedEvents(tx)
      .where(where)
      .orderBy((sort[0]?.descending ? desc : asc)(events.startsAt), asc(events.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })

const recordEventAudit = (
  ctx: Ctx,
  tx: Tx,
  { event, project }: PlacedEvent,
  entry: Pick<Parameters<typeof recordAudit>[2], 'action' | 'changes' | 'detail'>,
): Promise<void> =>
  recordAudit(ctx, tx, { ...entry, subject: { type: 'events', id: event.id }, hubId: project.hubId, projectId: project.id })

/**
 * Creates a draft of an event.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `taken`, `dates-out-of-order` and what is wrong with questions
 */
export async function createEvent(ctx: Ctx, input: CreateInput<typeof eventShape>): Promise<string> {
  const [project] = await loadKnownProjects(ctx, [input.project])
  if (!project) throw new AppError('not-found')
  requirePermission(ctx, 'events.edit', toPermissionTarget(project))
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const taken = await tx
        .select({ slug: events.slug })
        .from(events)
        .where(and(eq(events.siteId, ctx.site.id), eq(events.projectId, project.id)))
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'event', (wanted) =>
        Promise.resolve(taken.some((one) => one.slug === wanted)),
      )
      const columns = pickColumns(input)
      assertInOrder({ startsAt: columns.startsAt ?? null, endsAt: columns.endsAt ?? null })
      const [event] = await tx
        .insert(events)
        .values({
          siteId: ctx.site.id,
          id,
          projectId: project.id,
          ...columns,
          questions: input.questions ? await prepareSignUpQuestions(tx, undefined, input.questions) : [],
          slug,
          title: input.titleTranslations,
          ...buildEventSearch({ title: input.titleTranslations, ...columns }),
          updatedAt: ctx.now(),
        })
        .returning()
      if (!event) throw new AppError('internal')
      await recordEventAudit(ctx, tx, { event, project }, { action: 'events.create' })
    }),
  )
  return id
}

/** What is stored as it was sent, with the columns' names. */
function pickColumns(input: UpdateInput<typeof eventShape>): Partial<EventRow> {
  const { titleTranslations: title, descriptionTranslations: description, placeTranslations: place } = input
  const { accessInfoTranslations: accessInfo, slug, status, startsAt, endsAt, joinLink, capacity, hasWaitingList, access } = input
  const columns = { title, description, place, accessInfo, slug, status, startsAt, endsAt, joinLink, capacity, hasWaitingList, access }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

const buildEventSearch = ({ title, description, place, accessInfo }: Pick<EventRow, 'title'> & Partial<EventRow>) =>
  buildSearchFields(title, description, place, accessInfo)

function assertInOrder({ startsAt, endsAt }: Pick<EventRow, 'startsAt' | 'endsAt'>): void {
  if (startsAt && endsAt && endsAt <= startsAt)
    throw new AppError('invalid', { faults: [{ code: 'dates-out-of-order', pointer: '/endsAt' }] })
}

const listTextsOf = (event: EventRow) => listEventTexts({ ...event, questions: readSignUpQuestions(event) })

/**
 * Changes only the given properties. People who signed up are told by mail if the time, the place or the link of a published event changes, or
 * if it is cancelled; a larger capacity lets those who wait move up.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid`, with `below-sign-ups` for a capacity that is too small, and with `required`,
 * `moment-passed` or `translation-missing` for what publishing needs
 */
export async function updateEvent(ctx: Ctx, id: string, input: UpdateInput<typeof eventShape>, lockVersion: number): Promise<void> {
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const { project, event: seen } = await requireEventFor(ctx, tx, id)
      const before = await lockEvent(tx, seen)
      if (before.lockVersion !== lockVersion) throw new AppError('stale')
      const questions = input.questions && (await prepareSignUpQuestions(tx, before, input.questions))
      const saved: Partial<EventRow> = { ...pickColumns(input), ...(questions && { questions }) }
      const after: EventRow = { ...before, ...saved }
      assertInOrder(after)
      assertAllowedStatus(before, after)
      await assertCapacity(tx, before, after)
      assertPublishable(ctx, before, after)
      await checkTranslations(ctx, tx, {
        subjectId: id,
        before: listTextsOf(before),
        after: listTextsOf(after),
        wasPublic: before.status === 'published',
        isPublic: after.status === 'published',
        waived: input.waived,
      })
      const isMoved = before.startsAt?.getTime() !== after.startsAt?.getTime()
      await tx
        .update(events)
        .set({ ...saved, ...buildEventSearch(after), lockVersion: sql`${events.lockVersion} + 1`, updatedAt: ctx.now() })
        .where(and(eq(events.siteId, ctx.site.id), eq(events.id, id)))
      if (isMoved)
        await tx
          .update(eventSignUps)
          .set({ remindedAt: null })
          .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.eventId, id)))
      const mail = chooseMail(ctx, before, after)
      if (mail) await mailEverybody(ctx, tx, { event: after, project }, mail)
      if (mail === 'event-changed' && !isMoved) await renewReminders(ctx, tx, { event: after, project })
      await giveFreePlaces(ctx, tx, after, project)
      const action = before.status === after.status ? 'events.update' : after.status === 'published' ? 'events.publish' : 'events.cancel'
      await recordEventAudit(ctx, tx, { event: before, project }, { action, changes: listChanges(before, saved) })
    }),
  )
}

/** What people who signed up are told about a change, if anything. */
function chooseMail(ctx: Ctx, before: EventRow, after: EventRow): EventMail | undefined {
  if (before.status !== 'published' || getEventPhase(ctx.now(), before) === 'over') return undefined
  if (after.status === 'cancelled') return 'event-cancelled'
  // A language that is added to the place says nothing new.
  const languages = Object.keys(before.place) as (keyof EventRow['place'])[]
  const readTold = ({ startsAt, endsAt, place, joinLink }: EventRow) =>
    JSON.stringify([startsAt, endsAt, languages.map((language) => place[language] ?? ''), joinLink])
  return readTold(before) === readTold(after) ? undefined : 'event-changed'
}

async function mailEverybody(ctx: Ctx, tx: Tx, { event, project }: PlacedEvent, mail: EventMail): Promise<void> {
  const rows = await tx
    .select()
    .from(eventSignUps)
    .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.eventId, event.id), ne(eventSignUps.state, 'cancelled')))
    .orderBy(asc(eventSignUps.id))
  for (const signUp of rows) await mailSignUp(ctx, tx, mail, { event, project, signUp })
}

function assertAllowedStatus({ status: from }: EventRow, { status: to }: EventRow): void {
  if (from === to || (from === 'draft' && to === 'published') || (from === 'published' && to === 'cancelled')) return
  throw new AppError('invalid', { faults: [{ code: 'fixed-once-open', pointer: '/status' }] })
}

/** @throws {AppError} `invalid` with `below-sign-ups` and how many have a place */
async function assertCapacity(tx: Tx, before: EventRow, after: EventRow): Promise<void> {
  if (after.capacity === null || after.capacity === before.capacity) return
  const { going } = await countPlaces(tx, before)
  if (after.capacity < going)
    throw new AppError('invalid', { faults: [{ code: 'below-sign-ups', pointer: '/capacity', values: { count: going } }] })
}

/** @throws {AppError} `invalid` with everything that is missing before people can sign up */
function assertPublishable(ctx: Ctx, before: EventRow, after: EventRow): void {
  if (after.status !== 'published') return
  const faults: Fault[] = [
    ...(after.startsAt ? [] : [{ code: 'required' as const, pointer: '/startsAt' }]),
    ...(after.endsAt ? [] : [{ code: 'required' as const, pointer: '/endsAt' }]),
    ...(before.status === 'draft' && after.startsAt && after.startsAt <= ctx.now()
      ? [{ code: 'moment-passed' as const, pointer: '/startsAt' }]
      : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

/** Deletes an event without sign-ups. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export async function deleteEvent(ctx: Ctx, { id }: Pick<EventRecord, 'id'>): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireEventFor(ctx, tx, id)
    await lockEvent(tx, placed.event)
    const { going, waiting } = await countPlaces(tx, placed.event)
    if (going + waiting > 0) throw new AppError('in-use')
    await tx.delete(events).where(and(eq(events.siteId, ctx.site.id), eq(events.id, id)))
    await recordEventAudit(ctx, tx, placed, { action: 'events.delete', detail: { title: placed.event.title } })
  })
}
