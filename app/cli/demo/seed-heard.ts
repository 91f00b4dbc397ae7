import { and, eq } from 'drizzle-orm'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { createId } from '#app/lib/uuid.ts'
import {
  decisionDelays,
  decisionPublications,
  decisions,
  decisionThemes,
  themeEvidence,
  themeReadings,
  themes,
} from '#app/server/db/schema/heard.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { type DemoHeard, DYFFRYN_HEARD, RIVERBEND_HEARD } from './content/heard.ts'
import { insertAll } from './insert-rows.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'
import { seedHeardReport } from './seed-heard-report.ts'

const BY_SITE: Partial<Record<string, DemoHeard>> = { riverbend: RIVERBEND_HEARD, dyffryn: DYFFRYN_HEARD }

/** One closed project whose written answers were read and coded, with decisions and what was done. The receipt of one answer has a known code. */
export async function seedHeard(seeding: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  const heard = BY_SITE[seeding.content.slug]
  const project = placed.projects.find((one) => one.project.slug === heard?.project)
  const survey = project?.surveys.find((one) => one.survey.slug === heard?.survey)
  if (!heard || !project || !survey) return
  const { tx, siteId, calendar } = seeding
  const texts = await loadTexts(seeding, survey.id, heard.question)
  const readAt = calendar.at(heard.decided - 3, 14)
  const ofProject = { siteId, projectId: project.id }
  const readBy = people.accounts.hubAdmin.id
  await insertAll(
    tx,
    themeReadings,
    texts.map(({ id }) => ({ ...ofProject, sourceId: id, question: heard.question, readBy, readAt })),
  )
  const ids = new Map(heard.themes.map(({ name }) => [name, createId()]))
  await insertAll(
    tx,
    themes,
    heard.themes.map(({ name, title, stance }, at) => ({
      ...ofProject,
      id: ids.get(name) ?? createId(),
      title,
      stance,
      position: at + 1,
      createdAt: readAt,
    })),
  )
  const evidence = codeTexts(heard, texts).map(({ theme, ...row }) => ({
    ...ofProject,
    ...row,
    id: createId(),
    themeId: ids.get(theme) ?? '',
    source: 'response' as const,
    question: heard.question,
    version: 1,
    publishedVersion: 1,
    createdBy: readBy,
    createdAt: readAt,
  }))
  await insertAll(tx, themeEvidence, evidence)
  await seedDecisions(seeding, heard, project.id, ids)
  const byTheme = Map.groupBy(evidence, ({ themeId }) => themeId)
  const personOf = new Map(texts.map(({ id, userId }) => [id, userId ?? id]))
  await tx.insert(decisionPublications).values({
    ...ofProject,
    id: createId(),
    version: 1,
    texts: texts.length,
    textsRead: texts.length,
    people: Object.fromEntries(
      [...byTheme].map(([id, rows]) => [id, new Set(rows.map(({ responseId }) => personOf.get(responseId))).size]),
    ),
    publishedAt: calendar.at(heard.decided, 10),
    publishedBy: people.accounts.siteAdmin.id,
  })
  await seedHeardReport(seeding, people, {
    heard,
    projectId: project.id,
    surveyId: survey.id,
    themes: ids,
    quotes: new Map([...byTheme].map(([id, rows]) => [id, rows.filter(({ isQuoted }) => isQuoted).map((row) => row.id)])),
  })
  const known = texts.find(({ text, userId }) => text.includes(heard.receiptSays) && !userId)
  if (known)
    await tx
      .update(responses)
      .set({ receiptHash: hashReceiptCode(siteId, heard.receipt) })
      .where(and(eq(responses.siteId, siteId), eq(responses.id, known.id)))
}

interface WrittenText {
  id: string
  userId: string | null
  text: string
}

async function loadTexts({ tx, siteId }: SeedContext, surveyId: string, question: string): Promise<WrittenText[]> {
  const rows = await tx
    .select({ id: responses.id, userId: responses.userId, answers: responses.answers })
    .from(responses)
    .where(and(eq(responses.siteId, siteId), eq(responses.surveyId, surveyId)))
    .orderBy(responses.submittedAt, responses.id)
  return rows.flatMap(({ id, userId, answers }) => {
    const text = (answers as Record<string, unknown>)[question]
    return typeof text === 'string' ? [{ id, userId, text }] : []
  })
}

/** Finds every text that contains a sentence of a theme. The first of them may be quoted in public. */
function codeTexts({ themes: all }: DemoHeard, texts: readonly WrittenText[]) {
  return all.flatMap(({ name, said }) =>
    Object.values(said)
      .flat()
      .map((sentence) => sentence.replace(/\.$/, ''))
      .flatMap((quote) =>
        texts
          .filter(({ text }) => text.includes(quote))
          .map(({ id, text }, at) => {
            const startAt = Array.from(text.slice(0, text.indexOf(quote))).length
            return { theme: name, responseId: id, quote, startAt, endAt: startAt + Array.from(quote).length, isQuoted: at === 0 }
          }),
      ),
  )
}

async function seedDecisions(
  { tx, siteId, calendar }: SeedContext,
  heard: DemoHeard,
  projectId: string,
  themeIds: ReadonlyMap<string, string>,
): Promise<void> {
  const toDay = (days: number) => calendar.at(days, 12).toISOString().slice(0, 10)
  const ofProject = { siteId, projectId }
  for (const [at, { title, text, outcome, reason, body, delivery, note, due, delay, themes: named }] of heard.decisions.entries()) {
    const id = createId()
    await tx.insert(decisions).values({
      ...ofProject,
      id,
      number: at + 1,
      title,
      text: text ?? {},
      outcome,
      reason,
      body,
      decidedOn: toDay(heard.decided - 1),
      delivery,
      deliveryNote: note ?? {},
      dueOn: due === undefined ? null : toDay(due),
      publishedAt: calendar.at(heard.decided, 10),
    })
    await tx.insert(decisionThemes).values(named.map((name) => ({ ...ofProject, decisionId: id, themeId: themeIds.get(name) ?? '' })))
    if (delay)
      await tx.insert(decisionDelays).values({
        ...ofProject,
        id: createId(),
        decisionId: id,
        dueBefore: toDay(delay.before),
        dueAfter: due === undefined ? null : toDay(due),
        reason: delay.reason,
        createdAt: calendar.at(delay.before - 1, 9),
      })
  }
}
