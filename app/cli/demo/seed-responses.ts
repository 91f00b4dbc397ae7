import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { listQuotaPlaces } from '#app/features/surveys/responses/quotas.server.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import { createRandom } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveyQuotas, surveys } from '#app/server/db/schema/surveys.ts'
import { generateAnswerTimes } from './crowd-times.ts'
import { answerSurvey, buildDefinition } from './crowd.ts'
import type { Crowd, DemoProject, DemoSurvey } from './content/types.ts'
import { insertAll } from './insert-rows.ts'
import type { People, Person, PlacedContent, SeedContext } from './seed-context.ts'

type Response = typeof responses.$inferInsert

/** Every survey's responses and the counts derived from them. @returns the number of responses */
export async function seedResponses(seeding: SeedContext, people: People, placed: PlacedContent): Promise<number> {
  const { tx, siteId } = seeding
  let total = 0
  for (const { id: projectId, project, members, surveys: own } of placed.projects) {
    const tookPart = new Set<string>()
    for (const { id: surveyId, survey } of own) {
      if (!survey.crowd) continue
      const made = makeResponses(seeding, people, { surveyId, project, survey, crowd: survey.crowd, members })
      const { rows, taken } = applyQuotas(survey, made)
      await insertAll(tx, responses, rows)
      await tx
        .update(surveys)
        .set({ responsesCount: rows.length, responsesNumbered: rows.length })
        .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
      await insertAll(
        tx,
        surveyQuotas,
        [...taken].map(([quotaId, count]) => ({ siteId, surveyId, quotaId, taken: count })),
      )
      for (const row of rows) tookPart.add(row.userId ?? row.id)
      total += rows.length
    }
    if (tookPart.size)
      await tx
        .update(projects)
        .set({ participants: tookPart.size })
        .where(and(eq(projects.siteId, siteId), eq(projects.id, projectId)))
  }
  return total
}

/** Drops responses that arrived after a quota was full and numbers the others, as results expect. */
function applyQuotas(survey: DemoSurvey, made: Response[]): { rows: Response[]; taken: Map<string, number> } {
  const definition = buildDefinition(survey)
  const taken = new Map<string, number>()
  const rows = made.filter(({ answers }) => {
    const places = listQuotaPlaces(definition, answers as Answers)
    if (places.some(({ id, limit }) => (taken.get(id) ?? 0) >= limit)) return false
    for (const { id } of places) taken.set(id, (taken.get(id) ?? 0) + 1)
    return true
  })
  return { rows: rows.map((row, number) => ({ ...row, number })), taken }
}

function makeResponses(
  { siteId, content, calendar }: SeedContext,
  people: People,
  {
    surveyId,
    project,
    survey,
    crowd,
    members,
  }: { surveyId: string; project: DemoProject; survey: DemoSurvey; crowd: Crowd; members: Person[] },
): Response[] {
  const seed = `${content.slug}/${project.slug}/${survey.slug}`
  const random = createRandom(seed)
  const window = { opens: project.opens ?? -30, closes: project.closes ?? 0, announced: project.updates.map((update) => update.day) }
  const needsAccount = survey.access === 'signed_in' || survey.access === 'confirmed' || survey.access === 'members'
  const { participant } = people.accounts
  const mayAnswer = (person: Person) => person !== participant && (survey.access !== 'confirmed' || person.confirmed)
  const accounts = random.shuffle((survey.access === 'members' ? members : people.participants).filter(mayAnswer))
  if (project.featured && !needsAccount) accounts.push(participant)
  const count = needsAccount ? Math.min(crowd.people, accounts.length) : crowd.people
  const residents = survey.answeredByResidents ? [...people.residents] : []
  const times = generateAnswerTimes(count, window, calendar, createRandom(`${seed}/times`))
  return times.map((submittedAt) => {
    const account = !survey.anonymous && (needsAccount || random.chance(0.06)) ? accounts.pop() : undefined
    const language = account?.language ?? random.weighted<Language>(content.people.languages)
    const editable = calendar.now.getTime() - submittedAt.getTime()
    return {
      siteId,
      id: createId(),
      surveyId,
      version: 1,
      userId: account?.id ?? residents.pop() ?? null,
      language,
      source: survey.byText && random.chance(survey.byText.share) ? 'sms' : 'web',
      answers: answerSurvey(survey, crowd, language, random),
      receiptHash: randomBytes(32),
      submittedAt,
      editedAt: random.chance(0.02) ? new Date(submittedAt.getTime() + Math.min(editable, 60_000 * random.int(2, 1500))) : null,
      seconds: Math.round(survey.minutes * 60 * Math.exp(random.normal(-0.15, 0.5))),
    }
  })
}
