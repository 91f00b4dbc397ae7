import { and, eq, or, sql } from 'drizzle-orm'
import { ERROR_BY_REFUSAL } from '#app/features/participation/access.policy.server.ts'
import * as v from 'valibot'
import { emailSchema, loginSchema } from '#app/features/accounts/accounts.schema.ts'
import { deriveReceiptCode, hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { eventSignUps } from '#app/server/db/schema/events.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import { type EventRow, findSignUpRefusal, lockEvent, type PlacedEvent } from '../events.policy.server.ts'
import { findRemindedAt, getEventPhase } from '../events.state.ts'
import { mailSignUp, openReceipt, sealReceipt, type SignUpRow } from './event-mails.server.ts'
import { countPlaces, giveFreePlaces } from './places.server.ts'
import { checkSignUpAnswers } from './sign-up-questions.server.ts'

export interface SignUpInput extends Sending {
  name: string
  email: string
  /** They want to be reminded by text too, at the number of their account. */
  remindByText?: boolean
  /** Reads the answers once the event's questions are known. */
  readAnswers: (event: EventRow) => Answers
  /** Codes of the receipts that the sender holds. */
  codes?: readonly string[]
}

interface NewSignUp {
  id: string
  name: string
  email: string
  code: string
  answers: Answers
  remindByText: boolean
}

export interface SignedUp {
  id: string
  code: string
  state: SignUpRow['state']
}

/**
 * Signs a person up: they get a place, or are added to the waiting list. The same sending again gives the same receipt, and so does another one
 * by a person who shows that the standing sign-up is theirs, by their account or by a receipt. To others its receipt goes by mail.
 * @throws {AppError} `not-found`; `event-not-open`, `event-over`, `event-cancelled`, `event-full`; the refusal of the event's access rule;
 * `invalid` with faults at `/name`, `/email` and `/q.…`, and with `signed-up-already` at `/email`; `too-many-requests`
 */
export async function signUp(ctx: Ctx, find: (tx: Tx) => Promise<PlacedEvent>, input: SignUpInput): Promise<SignedUp> {
  const person = checkPerson(input)
  if (person.email) await countAttempt(ctx, limitMails(ctx, 'event-sign-up', person.email))
  const done = await ctx.db.tx(async (tx) => {
    const placed = await find(tx)
    const refusal = await findSignUpRefusal(ctx, tx, placed)
    if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])
    const here = { ...placed, event: await lockEvent(tx, placed.event) }
    const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey)
    const sent = await findSent(tx, here.event, input.id)
    if (sent?.receiptHash?.equals(hashReceiptCode(ctx.site.id, code))) return { id: sent.id, code, state: sent.state }
    if (sent) throw new AppError('conflict')
    requireOpen(ctx, here)
    const { answers, faults } = checkSignUpAnswers(here.event, input.readAnswers(here.event))
    const all = [...person.faults, ...faults]
    if (all.length > 0) throw new AppError('invalid', { faults: all })
    const standing = await findStanding(tx, here.event, { userId: findOwnId(ctx) ?? null, email: person.email })
    if (standing) return answerAgain(ctx, tx, here, { standing, codes: input.codes ?? [] })
    return takePlace(ctx, tx, here, { ...person, id: input.id, code, answers, remindByText: input.remindByText ?? false })
  })
  if (done === 'mailed') throw new AppError('invalid', { faults: [{ code: 'signed-up-already', pointer: '/email' }] })
  return done
}

/** Returns the receipt again to a person who proves that the sign-up is theirs; otherwise mails it to the address of the sign-up. */
async function answerAgain(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedEvent,
  { standing, codes }: { standing: SignUpRow; codes: readonly string[] },
): Promise<SignedUp | 'mailed'> {
  const code = openReceipt(ctx, standing)
  const isOwn = standing.userId !== null && standing.userId === findOwnId(ctx)
  if (code && (isOwn || codes.includes(code))) return { id: standing.id, code, state: standing.state }
  await mailSignUp(ctx, tx, standing.state === 'going' ? 'event-going' : 'event-waiting', { ...placed, signUp: standing })
  return 'mailed'
}

/** Stores a sign-up for a place or, at capacity, for the waiting list. @throws {AppError} `event-full` */
async function takePlace(
  ctx: Ctx,
  tx: Tx,
  { event, project }: PlacedEvent,
  { id, name, email, code, answers, remindByText }: NewSignUp,
): Promise<SignedUp> {
  const isFull = event.capacity !== null && (await countPlaces(tx, event)).going >= event.capacity
  if (isFull && !event.hasWaitingList) throw new AppError('event-full')
  const [row] = await tx
    .insert(eventSignUps)
    .values({
      siteId: event.siteId,
      id,
      eventId: event.id,
      userId: findOwnId(ctx) ?? null,
      name,
      email,
      language: ctx.contentLanguage,
      answers,
      state: isFull ? 'waiting' : 'going',
      receiptHash: hashReceiptCode(ctx.site.id, code),
      sealedReceipt: sealReceipt(ctx, id, code),
      remindByText: remindByText && findOwnId(ctx) !== undefined,
      remindedAt: isFull ? null : findRemindedAt(ctx.now(), event),
      createdAt: ctx.now(),
    })
    .returning()
  if (!row) throw new AppError('internal')
  await giveFreePlaces(ctx, tx, event, project)
  await mailSignUp(ctx, tx, isFull ? 'event-waiting' : 'event-going', { event, project, signUp: row })
  return { id, code, state: row.state }
}

function checkPerson({ name: typedName, email: typedEmail }: Pick<SignUpInput, 'name' | 'email'>) {
  const faults: Fault[] = []
  const name = v.safeParse(loginSchema, typedName)
  if (!typedName.trim()) faults.push({ code: 'required', pointer: '/name' })
  else if (!name.success)
    faults.push({ code: typedName.trim().length > 80 ? 'too-long' : 'wrong-format', pointer: '/name', values: { max: 80 } })
  const email = v.safeParse(emailSchema, typedEmail)
  if (!typedEmail.trim()) faults.push({ code: 'required', pointer: '/email' })
  else if (!email.success) faults.push({ code: 'not-an-email', pointer: '/email' })
  return { name: name.success ? name.output : '', email: email.success ? email.output : '', faults }
}

/** @throws {AppError} `event-not-open`, `event-over`, `event-cancelled` */
function requireOpen(ctx: Ctx, { event, project }: PlacedEvent): void {
  const phase = getEventPhase(ctx.now(), event)
  if (phase === 'cancelled') throw new AppError('event-cancelled')
  if (phase === 'draft' || project.status !== 'published') throw new AppError('event-not-open')
  if (phase !== 'upcoming') throw new AppError('event-over')
}

async function findSent(tx: Tx, { siteId }: EventRow, id: string): Promise<SignUpRow | undefined> {
  const [row] = await tx
    .select()
    .from(eventSignUps)
    .where(and(eq(eventSignUps.siteId, siteId), eq(eventSignUps.id, id)))
  return row
}

/** The sign-up of a person that still stands, by their account or their address. */
async function findStanding(
  tx: Tx,
  { siteId, id }: EventRow,
  { userId, email }: { userId: string | null; email: string },
): Promise<SignUpRow | undefined> {
  const rows = await tx
    .select()
    .from(eventSignUps)
    .where(
      and(
        eq(eventSignUps.siteId, siteId),
        eq(eventSignUps.eventId, id),
        sql`${eventSignUps.state} <> 'cancelled'`,
        or(userId === null ? undefined : eq(eventSignUps.userId, userId), eq(sql`lower(${eventSignUps.email})`, email)),
      ),
    )
  return rows.find((row) => userId !== null && row.userId === userId) ?? rows[0]
}
