import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import { findOrigin } from '#app/features/participation/origins.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { deriveId, readIdTime } from '#app/lib/uuid.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import type { BrowserToken, NumberToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { hashReceiptCode, deriveReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { isHasty } from './access/hasty-answers.ts'
import { countAsSent, removeFilesOf, withKnownFiles } from './files/response-files.server.ts'
import { checkPostcodes } from './check-postcodes.server.ts'
import { checkAnswers, countQuestions, listQuestions, tidyAnswers } from '../questionnaire/answers.ts'
import { prefixPointer } from '../answering/form-faults.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import { storeResponse } from './intake.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { findForVisitors, getInvitationOwner, hasAnswered, hashPerson, type PlacedSurvey, findRefusal } from '../surveys.policy.server.ts'
import { type QuotaPlace, listQuotaPlaces } from './quotas.server.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { getSurveyState, getAnsweringTimes, type TimedSurvey } from '../surveys.state.server.ts'
import { loadChangedQuestions, findCachedVersion, loadVersion, resolveForDay } from '../questionnaire/versions.server.ts'
import type { Refusal } from '../surveys.views.ts'

/** A form opened before the survey closed is accepted for this long after closing. */
const GRACE_PERIOD_MS = 60_000
const MAX_ANSWERING_MS = 24 * 3_600_000

export interface ResponseInput extends Sending {
  /** The version the form was built from; the published one if it names none that exists. */
  version?: number | undefined
  /** Or a function that reads the form with the very version it is checked against. */
  answers: Answers | ((definition: Definition) => Answers)
  /** Recognises the browser for `anyone_once`: required there unless the viewer is signed in. */
  browserToken?: BrowserToken | NumberToken | undefined
  /** The code or personal link for `invited`, the secret of a verification for `verified`; or how to find it by its owner's id. */
  invitation?: string | ((ownerId: string) => string | undefined) | undefined
  source?: string
  /** For a change: the version of the answers that its sender has seen and replaces, if it is not the one that the change began from. */
  over?: string | undefined
  /**
   * Comes from a form that a device keeps, and may restore with its id for the next person. Where everyone may answer, answers that differ from
   * those stored under the id are a response of their own.
   */
  isKeptForm?: boolean
}

export interface Receipt {
  code: string
  /** False if the same sending was already stored. */
  stored: boolean
  /** As stored: for a repeated sending, as it was first sent. */
  response: StoredResponse
}

export interface StoredResponse extends Pick<
  typeof responses.$inferSelect,
  'id' | 'surveyId' | 'version' | 'language' | 'source' | 'submittedAt' | 'seconds' | 'counted'
> {
  answers: Answers
}

export const ERROR_BY_REFUSAL: Record<Refusal, ErrorCode> = {
  'sign-in': 'sign-in-to-answer',
  confirm: 'confirm-to-answer',
  invitation: 'invitation-needed',
  verification: 'verification-needed',
  members: 'forbidden',
  group: 'forbidden',
  guest: 'forbidden',
  answered: 'already-answered',
}

/**
 * Accepts a response to a survey, stored exactly once per id: sending it again returns the same receipt and changes nothing.
 * @param find finds the survey as `reader` sees it
 * @param place identifies what `find` finds, so that visitors can share it
 * @throws {AppError} `survey-not-open`, `survey-closed`, `quota-full` (`meta.end` names its closing page), the refusal of the survey's
 * access rule, or `invalid` with a fault for each answer (pointers `/answers/<question id>`)
 */
export async function submitResponse(
  ctx: Ctx,
  find: (tx: Tx, reader: Ctx) => Promise<PlacedSurvey>,
  input: ResponseInput,
  place?: string,
): Promise<Receipt> {
  const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey)
  const receiptHash = hashReceiptCode(ctx.site.id, code)
  const now = ctx.now()
  const prepareSubmission = async (tx: Tx, seen?: PlacedSurvey) => {
    const placed = seen ?? (await find(tx, ctx))
    try {
      return await acceptSubmission(ctx, tx, placed, input, now)
    } catch (error) {
      // What was stored under the id was valid when it was sent.
      const isOther = input.isKeptForm && placed.survey.access === 'anyone' && isAppError(error, 'invalid')
      if (!isOther && isAppError(error) && (await isStored(ctx, tx, input.id, receiptHash))) return undefined
      throw error
    }
  }
  const placed = place !== undefined && ctx.viewer.kind === 'visitor' ? await findForVisitors(ctx, place, find) : undefined
  const prepared = (placed && findCachedAcceptance(ctx, placed, input, now)) ?? (await ctx.db.tx((tx) => prepareSubmission(tx, placed)))
  if (!prepared) return { code, stored: false, response: await requireStoredResponse(ctx, input.id) }
  const { survey, project } = prepared.placed
  const response = {
    id: input.id,
    surveyId: survey.id,
    version: prepared.version,
    language: ctx.contentLanguage,
    source: input.source ?? 'web',
    answers: prepared.answers,
    submittedAt: now,
    seconds: findAnsweringSeconds(input.id, now),
  }
  const userId = ctx.viewer.kind === 'user' && !survey.anonymous ? ctx.viewer.id : null
  const stored = await storeResponse(ctx.runtime.database, {
    row: {
      ...response,
      siteId: ctx.site.id,
      userId,
      receiptHash,
      doubt: response.source === 'web' && isHasty(response.seconds, prepared.questions) ? 'haste' : null,
    },
    projectId: project.id,
    personHashes: prepared.personHashes,
    origin: findOrigin(ctx, 'answers', { surveyId: survey.id }),
    places: prepared.places,
    requireOpen: (placedNow) => assertOpen(placedNow, input.id, now),
    keepFiles: prepared.takesFiles ? (tx) => countAsSent(ctx, tx, response.answers) : undefined,
  })
  if (stored === 'before') {
    const before = await requireStoredResponse(ctx, input.id)
    if (!input.isKeptForm || survey.access !== 'anyone' || isDeepStrictEqual(before.answers, response.answers))
      return { code, stored: false, response: before }
    return submitResponse(ctx, find, { ...input, id: deriveId(JSON.stringify(response.answers), input.id) }, place)
  }
  if (prepared.takesFiles) await removeFilesOf(ctx, input.id, response.answers)
  return { code, stored: true, response: { ...response, counted: stored === 'counted' } }
}

interface AcceptedSubmission {
  placed: PlacedSurvey
  /** Say, without revealing who, that this person has answered. */
  personHashes: Buffer[]
  version: number
  answers: Answers
  places: QuotaPlace[]
  questions: number
  /** Its answers may reference files, which must be looked up and cleaned up. */
  takesFiles: boolean
}

/** What to store for an input, once its sender is known to be allowed to answer. @throws {AppError} as `submitResponse` */
async function acceptSubmission(ctx: Ctx, tx: Tx, placed: PlacedSurvey, input: ResponseInput, now: Date): Promise<AcceptedSubmission> {
  assertOpen(placed, input.id, now)
  const { browserToken, invitation } = input
  const brought = {
    browserToken,
    invitation: typeof invitation === 'function' ? invitation(getInvitationOwner(ctx, placed.survey)) : invitation,
  }
  const refusal = await findRefusal(ctx, tx, placed, brought)
  if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])
  const personHashes = await hashPerson(ctx, tx, placed.survey, brought, { use: 'store' })
  if (placed.survey.access !== 'anyone' && personHashes.length === 0) {
    throw new AppError('browser-or-account-needed', { faults: [{ code: 'browser-or-account-needed', pointer: '/browserToken' }] })
  }
  if (await hasAnswered(ctx, tx, placed.survey, brought)) throw new AppError('already-answered')
  return { placed, personHashes, ...(await acceptSubmittedAnswers(ctx, tx, placed, input)) }
}

/** The same without any query; undefined if a query is needed or the input is invalid. */
function findCachedAcceptance(ctx: Ctx, placed: PlacedSurvey, input: ResponseInput, now: Date): AcceptedSubmission | undefined {
  const { survey } = placed
  if (survey.access !== 'anyone' || !checkPermission(ctx.viewer, 'surveys.answer').ok) return undefined
  const version = chooseVersion(survey, input)
  const definition = findCachedVersion(ctx.site.id, survey.id, version)
  if (!definition || version !== survey.publishedVersion) return undefined
  try {
    assertOpen(placed, input.id, now)
    const checked = checkSubmittedAnswers(ctx, definition, input)
    return checked.takesFiles ? undefined : { placed, personHashes: [], version, ...checked }
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

async function requireStoredResponse(ctx: Ctx, id: string): Promise<StoredResponse> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, ctx.site.id), eq(responses.id, id))),
  )
  if (!row) throw new AppError('not-found')
  const { surveyId, version, language, source, submittedAt, seconds, counted } = row
  return { id, surveyId, version, language, source, submittedAt, seconds, counted, answers: row.answers as Answers }
}

export function assertOpen(placed: TimedSurvey, id: string, now: Date): void {
  const state = getSurveyState(now, placed)
  if (state === 'preview') throw new AppError('not-published')
  if (state === 'scheduled') throw new AppError('survey-not-open')
  if (state === 'closed' && !isInGracePeriod(getAnsweringTimes(placed).closesAt, id, now)) throw new AppError('survey-closed')
}

function isInGracePeriod(closesAt: Date | null, id: string, now: Date): boolean {
  if (!closesAt || now.getTime() >= closesAt.getTime() + GRACE_PERIOD_MS) return false
  const opened = readIdTime(id)
  return opened !== undefined && opened < closesAt.getTime() && now >= closesAt
}

function findAnsweringSeconds(id: string, now: Date): number | null {
  const took = now.getTime() - (readIdTime(id) ?? Number.NaN)
  return took >= 0 && took < MAX_ANSWERING_MS ? Math.round(took / 1000) : null
}

/** @param replaces the response that a change replaces */
export async function acceptSubmittedAnswers(
  ctx: Ctx,
  tx: Tx,
  { survey }: PlacedSurvey,
  input: ResponseInput,
  replaces?: string,
): Promise<Omit<AcceptedSubmission, 'placed' | 'personHashes'>> {
  const version = chooseVersion(survey, input)
  const definition = await loadVersion(tx, ctx.site.id, survey.id, version)
  const checked = checkSubmittedAnswers(ctx, definition, input, await loadChangedQuestions(tx, ctx.site.id, survey, version))
  if (!checked.takesFiles) return { version, ...checked }
  const given = { surveyId: survey.id, definition, answers: checked.answers, sending: input, replaces }
  const { answers, faults } = await withKnownFiles(ctx, tx, given)
  if (faults.length > 0) throw new AppError('invalid', { faults: faults.map((fault) => prefixPointer('/answers', fault)) })
  return { version, ...checked, answers }
}

function chooseVersion({ publishedVersion }: PlacedSurvey['survey'], input: ResponseInput): number {
  const published = publishedVersion ?? 0
  const asked = input.version ?? published
  return asked >= 1 && asked <= published ? asked : published
}

/**
 * @param changed questions whose meaning has changed since: their answers are refused and no longer required
 * @throws {AppError} `invalid` with a fault for each answer
 */
function checkSubmittedAnswers(
  ctx: Ctx,
  asWritten: Definition,
  input: ResponseInput,
  changed: ReadonlySet<string> = new Set(),
): Omit<AcceptedSubmission, 'placed' | 'personHashes' | 'version'> {
  const definition = resolveForDay(ctx, asWritten)
  const given = tidyAnswers(definition, typeof input.answers === 'function' ? input.answers(definition) : input.answers)
  const walked = walkSurvey(definition, given, input.id)
  const asked = listQuestions(definition)
  const known = new Set(asked.map((question) => question.id))
  const stray = Object.fromEntries(Object.entries(given).filter(([id]) => !known.has(id)))
  const answers = walked.kept
  const asking = listAskedQuestions(walked)
  const faults = [
    ...checkAnswers(
      asking.filter(({ id }) => !changed.has(id)),
      { ...Object.fromEntries(Object.entries(answers).filter(([id]) => !changed.has(id))), ...stray },
    ),
    ...checkPostcodes(
      ctx.site.region,
      asking.filter(({ id }) => !changed.has(id)),
      answers,
    ),
    ...Object.keys(answers).flatMap((id): Fault[] => (changed.has(id) ? [{ code: 'question-changed', pointer: `/${id}` }] : [])),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults: faults.map((fault) => prefixPointer('/answers', fault)) })
  return {
    answers,
    places: listQuotaPlaces(definition, answers),
    questions: countQuestions(asking),
    takesFiles: asked.some(({ type }) => type === 'file'),
  }
}

async function isStored(ctx: Ctx, tx: Tx, id: string, receiptHash: Buffer): Promise<boolean> {
  const [row] = await tx
    .select({ receiptHash: responses.receiptHash })
    .from(responses)
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.id, id)))
  return row !== undefined && row.receiptHash.equals(receiptHash)
}
