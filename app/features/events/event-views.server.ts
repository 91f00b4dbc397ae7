import { and, asc, eq, lt, ne, or, sql } from 'drizzle-orm'
import { openSending } from '#app/features/participation/sending.server.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { findOwnPhone } from '#app/features/sms/phone-numbers.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { formatPhone } from '#app/server/format-phone.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import {
  type EventAddress,
  type EventRow,
  findSignUpRefusal,
  type PlacedEvent,
  requireEventAt,
  selectPlacedEvents,
} from './events.policy.server.ts'
import type { EventCardView, EventPageView, EventView, SignUpReceiptView } from './events.schema.ts'
import { countFreePlaces, getEventPhase, takesSignUps } from './events.state.ts'
import { findByReceipt } from './signing-up/cancel-sign-up.server.ts'
import type { SignUpRow } from './signing-up/event-mails.server.ts'
import { findReminderPhone } from './signing-up/text-reminder.server.ts'
import { describeAnswers, listAskedQuestions } from './signing-up/sign-up-questions.server.ts'

const localiseFor = (ctx: Ctx) => (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale)

function toEventView(ctx: Ctx, { event, project }: PlacedEvent): EventView {
  const localise = localiseFor(ctx)
  return {
    id: event.id,
    slug: event.slug,
    title: localise(event.title),
    description: localise(event.description),
    place: localise(event.place),
    accessInfo: localise(event.accessInfo),
    phase: getEventPhase(ctx.now(), event),
    startsAt: event.startsAt?.toISOString() ?? null,
    endsAt: event.endsAt?.toISOString() ?? null,
    capacity: event.capacity,
    free: countFreePlaces(event),
    waiting: event.waiting,
    hasWaitingList: event.hasWaitingList,
    project: { slug: project.slug, title: localise(project.title) },
    listed: event.status !== 'draft' && project.status !== 'draft' && project.visibility === 'public',
    now: ctx.now().toISOString(),
  }
}

/** The event and the form to sign up, for one reader. @param codes of the receipts that the browser holds @throws {AppError} `not-found`, `gone` */
export async function getEventPage(ctx: Ctx, address: EventAddress, codes: readonly string[]): Promise<EventPageView> {
  const phone = await findOwnPhone(ctx)
  return ctx.db.read(async (tx) => {
    const placed = await requireEventAt(ctx, tx, address)
    const { viewer } = ctx
    const person = viewer.kind === 'user' ? { name: viewer.login, email: viewer.email } : { name: '', email: '' }
    return {
      event: toEventView(ctx, placed),
      questions: listAskedQuestions(placed.event),
      refusal: await findSignUpRefusal(ctx, tx, placed),
      person,
      phone: phone ? formatPhone(phone) : null,
      sending: openSending(ctx),
      isSignedUp: (await findOwnSignUp(ctx, tx, placed.event, codes)) !== undefined,
      isOpen: placed.project.status === 'published' && takesSignUps(ctx.now(), placed.event),
    }
  })
}

/** The sign-up that stands and is the reader's, by their account or by a receipt that their browser holds. */
export async function findOwnSignUp(ctx: Ctx, tx: Tx, event: EventRow, codes: readonly string[]): Promise<SignUpRow | undefined> {
  const { viewer, site } = ctx
  const userId = viewer.kind === 'user' && viewer.siteId === site.id ? viewer.id : undefined
  const hashes = codes.map((code) => hashReceiptCode(site.id, code))
  if (!userId && hashes.length === 0) return undefined
  const [row] = await tx
    .select()
    .from(eventSignUps)
    .where(
      and(
        eq(eventSignUps.siteId, site.id),
        eq(eventSignUps.eventId, event.id),
        ne(eventSignUps.state, 'cancelled'),
        or(userId ? eq(eventSignUps.userId, userId) : undefined, ...hashes.map((hash) => eq(eventSignUps.receiptHash, hash))),
      ),
    )
    .limit(1)
  return row
}

/** The first receipt of this event among those that the browser holds. @throws {AppError} `not-found`, `gone` */
export function getSignUpReceipt(ctx: Ctx, address: EventAddress, codes: readonly string[]): Promise<SignUpReceiptView> {
  return ctx.db.read(async (tx) => {
    const placed = await requireEventAt(ctx, tx, address)
    const held = await findHeldReceipt(ctx, tx, placed.event, codes)
    return {
      event: toEventView(ctx, placed),
      receipt: held ? { code: held.code, ...(await describeSignUp(ctx, tx, placed.event, held.signUp)) } : null,
      address: buildSiteUrl(ctx, '/receipt'),
    }
  })
}

/** The receipt of an event among codes, the first that stands before one that was cancelled. */
export async function findHeldReceipt(ctx: Ctx, tx: Tx, event: EventRow, codes: readonly string[]) {
  const found: { code: string; signUp: SignUpRow }[] = []
  for (const typed of codes) {
    const code = parseReceiptCode(typed)
    const signUp = code ? await findByReceipt(ctx, tx, event, code) : undefined
    if (code && signUp) found.push({ code, signUp })
  }
  return found.find(({ signUp }) => signUp.state !== 'cancelled') ?? found[0]
}

async function describeSignUp(ctx: Ctx, tx: Tx, event: EventRow, signUp: SignUpRow) {
  const isOn = event.status === 'published'
  return {
    state: signUp.state,
    position: signUp.state === 'waiting' ? await countAhead(tx, signUp) : null,
    joinLink: signUp.state === 'going' && isOn ? event.joinLink : '',
    remindByText: signUp.remindedAt === null && (await findReminderPhone(ctx, tx, signUp)) !== undefined,
    canCancel: signUp.state !== 'cancelled' && takesSignUps(ctx.now(), event),
    answers: describeAnswers(ctx, event, signUp.answers),
  }
}

/** @returns the place on the waiting list, from 1 on */
async function countAhead(tx: Tx, { siteId, eventId, id, createdAt }: SignUpRow): Promise<number> {
  const [counted] = await tx
    .select({ ahead: sql<number>`count(*)::int` })
    .from(eventSignUps)
    .where(
      and(
        eq(eventSignUps.siteId, siteId),
        eq(eventSignUps.eventId, eventId),
        eq(eventSignUps.state, 'waiting'),
        or(lt(eventSignUps.createdAt, createdAt), and(eq(eventSignUps.createdAt, createdAt), lt(eventSignUps.id, id))),
      ),
    )
  return (counted?.ahead ?? 0) + 1
}

/** The events of a project that the public sees, as its page lists them, the next one first. @throws {AppError} `not-found`, `gone` */
export function listEventCards(
  ctx: Ctx,
  input: { slug: string; preview?: string | undefined },
): Promise<{ events: EventCardView[]; now: string }> {
  return ctx.db.read(async (tx) => {
    const found = await selectPlacedEvents(tx)
      .where(and(eq(events.siteId, ctx.site.id), eq(projects.slug, input.slug), ne(events.status, 'draft')))
      .orderBy(asc(events.startsAt), asc(events.id))
      .limit(100)
    const now = ctx.now().toISOString()
    const [first] = found
    if (!first) return { events: [], now }
    await requireVisibleProject(ctx, tx, first.project, input.preview)
    const localise = localiseFor(ctx)
    return {
      events: found.map(({ event }) => ({
        slug: event.slug,
        title: localise(event.title),
        place: localise(event.place),
        phase: getEventPhase(ctx.now(), event),
        startsAt: event.startsAt?.toISOString() ?? null,
        endsAt: event.endsAt?.toISOString() ?? null,
        free: countFreePlaces(event),
        hasWaitingList: event.hasWaitingList,
      })),
      now,
    }
  })
}
