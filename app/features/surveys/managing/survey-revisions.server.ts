import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type AuthoredRevision, listRevisions, loadVisibleRevisions } from '#app/features/revisions/revisions.list.server.ts'
import type { RevisionHistory } from '#app/features/revisions/revisions.server.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveyRevisionLists, surveyRevisions, surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'
import type { surveyRevisionShape } from '../surveys.api.schema.ts'
import type { SurveyRow } from '../surveys.policy.server.ts'
import type { Definition, Option, Question } from '../surveys.schema.ts'

/**
 * What was saved of surveys' questions, for their history. The draft itself is in the survey's row: a revision is a copy of it, to compare
 * with and to restore, which is a save like any other.
 */
export const SURVEY_HISTORY: RevisionHistory = { subject: 'survey', table: surveyRevisions, onThin: deleteUnusedLists }

/** A list with more options than this is stored apart from the revisions that have it. */
const MOST_INLINE = 50

/** What a revision stores: its questions, or where they are. */
type RevisionContent = PackedDefinition | { version: number }

interface PackedDefinition {
  /** Without the options of long lists. */
  definition: Definition
  /** Hash of each long list by id of its question. */
  lists?: Record<string, string>
}

export interface PreparedRevision {
  id: string
  parentId: string | null
  content: PackedDefinition
  /** Long lists by their hash. */
  lists: ReadonlyMap<string, readonly Option[]>
}

/** The first revision of a survey. */
export const prepareFirstRevision = (definition: Definition): PreparedRevision => ({
  id: createId(),
  parentId: null,
  ...packDefinition(definition),
})

/** A revision that follows the survey's draft; undefined if the draft says the same. */
export async function prepareRevision(ctx: Ctx, tx: Tx, survey: SurveyRow, definition: Definition): Promise<PreparedRevision | undefined> {
  const packed = packDefinition(definition)
  const { draftRevisionId: parentId } = survey
  const [draft] = parentId
    ? await tx.select({ content: surveyRevisions.content }).from(surveyRevisions).where(isRevision(ctx, parentId))
    : []
  return draft && isJsonEqual(draft.content, packed.content) ? undefined : { id: createId(), parentId, ...packed }
}

/** Stores a revision whose id the survey's row already has: the row is locked, so that its lists are not deleted meanwhile. */
export async function storeRevision(ctx: Ctx, tx: Tx, surveyId: string, revision: PreparedRevision, note = ''): Promise<void> {
  const { id, parentId, content } = revision
  await storeLists(ctx, tx, surveyId, revision.lists)
  await tx.insert(surveyRevisions).values({
    siteId: ctx.site.id,
    id,
    placeId: surveyId,
    parentId,
    content,
    note,
    createdBy: findViewerId(ctx),
    createdAt: ctx.now(),
  })
}

/**
 * Keeps the draft of a survey that has no revision of it, before it is saved over: of a survey that is older than this history, or that was
 * copied with its project.
 */
export async function keepDraftWithoutRevision(ctx: Ctx, tx: Tx, survey: SurveyRow): Promise<void> {
  if (survey.draftRevisionId !== null) return
  const { content, lists } = packDefinition(readDefinition(survey.definition))
  await storeLists(ctx, tx, survey.id, lists)
  await tx.insert(surveyRevisions).values({ siteId: ctx.site.id, id: createId(), placeId: survey.id, content, createdAt: survey.updatedAt })
}

/** Marks the draft's revision as published. @returns its id */
export async function markPublishedRevision(ctx: Ctx, tx: Tx, survey: SurveyRow, version: number): Promise<string> {
  const now = ctx.now()
  // The version has the questions, and is never thinned out.
  const content: RevisionContent = { version }
  const publication = { content, publishedAt: now, publishedBy: findViewerId(ctx), announcedAt: now }
  const [marked] = survey.draftRevisionId
    ? await tx
        .update(surveyRevisions)
        .set(publication)
        .where(and(isRevision(ctx, survey.draftRevisionId), isNull(surveyRevisions.publishedAt)))
        .returning({ id: surveyRevisions.id })
    : []
  if (marked) return marked.id
  const id = createId()
  const own = { siteId: ctx.site.id, id, placeId: survey.id, createdBy: findViewerId(ctx), createdAt: now }
  await tx.insert(surveyRevisions).values({ ...own, ...publication })
  return id
}

/** A revision as the API returns it. */
export interface SurveyRevision extends AuthoredRevision {
  /** Number of the published version with the same questions. */
  version: number | null
  /** Undefined in lists. */
  definition?: Definition
}

export async function loadSurveyRevisions(ctx: Ctx, ids: readonly string[]): Promise<SurveyRevision[]> {
  const rows = await loadVisibleRevisions(ctx, SURVEY_HISTORY, ids)
  return ctx.db.read(async (tx) => {
    const revisions: SurveyRevision[] = []
    for (const row of rows) revisions.push({ ...addVersionNumber(row), definition: await loadDefinition(ctx, tx, row) })
    return revisions
  })
}

export async function listSurveyRevisions(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof surveyRevisionShape>,
): Promise<ListResult<SurveyRevision>> {
  const numberOnly = sql`jsonb_build_object('version', ${surveyRevisions.content} -> 'version')`
  const { rows, total } = await listRevisions(ctx, SURVEY_HISTORY, { ...filter, place: filter.survey, sort, page }, numberOnly)
  return { rows: rows.map(addVersionNumber), total }
}

const addVersionNumber = (row: AuthoredRevision): SurveyRevision => ({
  ...row,
  version: (row.content as { version?: number | null }).version ?? null,
})

async function loadDefinition(ctx: Ctx, tx: Tx, { placeId, content: stored }: AuthoredRevision): Promise<Definition> {
  const content = stored as RevisionContent
  const surveyId = placeId ?? ''
  if ('version' in content) {
    const [version] = await tx
      .select({ definition: surveyVersions.definition })
      .from(surveyVersions)
      .where(and(eq(surveyVersions.siteId, ctx.site.id), eq(surveyVersions.surveyId, surveyId), eq(surveyVersions.number, content.version)))
    return readDefinition(version?.definition)
  }
  return readDefinition(unpackDefinition(content, await loadLists(ctx, tx, surveyId, Object.values(content.lists ?? {}))))
}

function packDefinition(definition: Definition): Pick<PreparedRevision, 'content' | 'lists'> {
  const lists = new Map<string, readonly Option[]>()
  const hashes: Record<string, string> = {}
  const packed = mapQuestions(definition, (question) => {
    if (!('options' in question) || question.options.length <= MOST_INLINE) return question
    const hash = createHash('sha256').update(JSON.stringify(question.options)).digest('base64url')
    lists.set(hash, question.options)
    hashes[question.id] = hash
    return { ...question, options: [] }
  })
  return { content: { definition: packed, ...(lists.size > 0 && { lists: hashes }) }, lists }
}

const unpackDefinition = ({ definition, lists = {} }: PackedDefinition, options: ReadonlyMap<string, unknown>): Definition =>
  mapQuestions(definition, (question) => {
    const hash = lists[question.id]
    return hash === undefined ? question : ({ ...question, options: options.get(hash) } as Question)
  })

const mapQuestions = (definition: Definition, change: (question: Question) => Question): Definition => ({
  ...definition,
  pages: definition.pages.map((page) => ({ ...page, questions: page.questions.map(change) })),
})

async function storeLists(ctx: Ctx, tx: Tx, surveyId: string, lists: PreparedRevision['lists']): Promise<void> {
  if (lists.size === 0) return
  // Asked first, since most saves have the lists of the save before, and sending one costs more.
  const known = await tx
    .select({ hash: surveyRevisionLists.hash })
    .from(surveyRevisionLists)
    .where(isListOf(ctx, surveyId, [...lists.keys()]))
  const isKnown = new Set(known.map(({ hash }) => hash))
  const missing = [...lists].filter(([hash]) => !isKnown.has(hash))
  if (missing.length === 0) return
  await tx.insert(surveyRevisionLists).values(missing.map(([hash, options]) => ({ siteId: ctx.site.id, surveyId, hash, options })))
}

async function loadLists(ctx: Ctx, tx: Tx, surveyId: string, hashes: readonly string[]): Promise<Map<string, unknown>> {
  if (hashes.length === 0) return new Map()
  const rows = await tx
    .select({ hash: surveyRevisionLists.hash, options: surveyRevisionLists.options })
    .from(surveyRevisionLists)
    .where(isListOf(ctx, surveyId, hashes))
  return new Map(rows.map(({ hash, options }) => [hash, options]))
}

/** Deletes lists that no revision has any more. */
async function deleteUnusedLists(ctx: Ctx, tx: Tx): Promise<void> {
  const isUsed = sql`exists (select from ${surveyRevisions} r
    where r.site_id = ${surveyRevisionLists.siteId} and r.survey_id = ${surveyRevisionLists.surveyId}
      and jsonb_path_exists(r.content, '$.lists.* ? (@ == $hash)', jsonb_build_object('hash', ${surveyRevisionLists.hash})))`
  const isUnused = and(eq(surveyRevisionLists.siteId, ctx.site.id), sql`not ${isUsed}`)
  const found = await tx.selectDistinct({ surveyId: surveyRevisionLists.surveyId }).from(surveyRevisionLists).where(isUnused)
  if (found.length === 0) return
  const surveyIds = found.map(({ surveyId }) => surveyId)
  // A save that is about to use one of them holds its survey's row. After waiting for it, the lists are looked at again.
  await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), inArray(surveys.id, surveyIds)))
    .orderBy(surveys.id)
    .for('update')
  await tx.delete(surveyRevisionLists).where(and(inArray(surveyRevisionLists.surveyId, surveyIds), isUnused))
}

const isListOf = (ctx: Ctx, surveyId: string, hashes: readonly string[]) =>
  and(
    eq(surveyRevisionLists.siteId, ctx.site.id),
    eq(surveyRevisionLists.surveyId, surveyId),
    inArray(surveyRevisionLists.hash, [...hashes]),
  )

const isRevision = (ctx: Ctx, id: string) => and(eq(surveyRevisions.siteId, ctx.site.id), eq(surveyRevisions.id, id))

const findViewerId = ({ viewer }: Ctx) => (viewer.kind === 'user' ? viewer.id : null)
