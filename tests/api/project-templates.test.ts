import { and, asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeNewActivity } from '#app/features/contributions/kinds/new-activity.server.ts'
import { getTemplate } from '#app/features/projects/templates/templates.ts'
import { projectShape } from '#app/features/projects/projects.api.schema.ts'
import { checkDefinition } from '#app/features/surveys/questionnaire/check-definition.ts'
import { definitionSchema } from '#app/features/surveys/surveys.schema.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { PROJECT_TEMPLATES } from '#app/lib/vocabulary/projects.ts'
import type { Tx } from '#app/server/db/client.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributionStatuses, projectStages } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person

const inSite = <T>(work: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(work)

beforeAll(async () => {
  runtime = await createTestRuntime()
  // In Toronto, whose clocks change on 8 March 2026.
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person = admin) => createApiClient(runtime, site, person.token)

async function make(attributes: Record<string, unknown>): Promise<string> {
  const answer = await api().post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'Mill Lane' }, ...attributes }))
  expect(answer.status).toBe(201)
  return requireItem(answer).id
}

const readRows = (id: string) =>
  inSite(async (tx) => {
    const [project] = await tx.select().from(projects).where(eq(projects.id, id))
    const [round] = await tx.select().from(budgetRounds).where(eq(budgetRounds.projectId, id))
    const [activity] = await tx.select().from(activities).where(eq(activities.projectId, id))
    return {
      project,
      activity,
      round,
      stages: await tx.select().from(projectStages).where(eq(projectStages.projectId, id)).orderBy(asc(projectStages.position)),
      statuses: activity ? await tx.select().from(contributionStatuses).where(eq(contributionStatuses.activityId, activity.id)) : [],
      surveys: await tx.select().from(surveys).where(eq(surveys.projectId, id)),
      pots: round ? await tx.select().from(budgetPots).where(eq(budgetPots.roundId, round.id)) : [],
    }
  })

describe.each(PROJECT_TEMPLATES)('the template %s', (id) => {
  const template = getTemplate(id)

  test('says everything in every language, within what its editors take', () => {
    const texts = listTexts(template)
    expect(texts.length).toBeGreaterThan(50)
    for (const text of texts) for (const language of LANGUAGES) expect(text[language]?.trim(), JSON.stringify(text)).toBeTruthy()
    const { title, summary, body, faqs } = projectShape.attributes
    const input = [
      [title.schema, template.title],
      [summary.schema, template.summary],
      [body.schema, template.body],
      [faqs.schema, template.faqs],
    ] as const
    for (const [schema, given] of input) expect(v.safeParse(schema, given).issues).toBeUndefined()
    for (const { kind, categories, intro } of template.activities) {
      expect(describeNewActivity({ kind, categories }).settings.categories).toHaveLength(categories.length)
      expect(Math.max(...LANGUAGES.map((language) => intro[language]?.length ?? 0))).toBeLessThanOrEqual(1000)
    }
  })

  test('has a survey that can be published as it is, and stages that follow one another', () => {
    expect(template.surveys.length).toBeGreaterThan(0)
    for (const { definition } of template.surveys) {
      expect(v.is(definitionSchema, definition)).toBe(true)
      expect(checkDefinition(definition, LANGUAGES)).toEqual([])
    }
    for (const [at, { weeks }] of template.stages.entries()) {
      expect(weeks[1]).toBeGreaterThan(weeks[0])
      expect(weeks[0]).toBe(template.stages[at - 1]?.weeks[1] ?? 0)
    }
    const stages = template.stages.map((stage) => stage.id)
    for (const { stage } of template.activities) expect(stages).toContain(stage)
  })

  test('makes drafts only, and what the list says it makes', async () => {
    const made = await readRows(await make({ template: id }))
    expect(made.project).toMatchObject({
      status: 'draft',
      title: { en: 'Mill Lane' },
      summary: template.summary,
      body: template.body,
      faqs: template.faqs,
      opensAt: null,
    })
    expect(made.surveys.map(({ status, title }) => [status, title])).toEqual(template.surveys.map(({ title }) => ['draft', title]))
    expect(made.activity).toMatchObject({ status: 'draft', title: template.activities[0]?.title, hasOpened: false })
    const listed = requireItem(await api().get(`/project-templates/${id}`)).attributes
    expect(listed).toMatchObject({
      titles: template.title,
      stages: made.stages.map(({ title }) => title.en),
      activities: [made.activity?.title.en],
      surveys: made.surveys.map(({ title }) => title.en),
      rounds: made.round ? [made.round.title.en] : [],
      faqs: template.faqs.length,
    })
  })
})

/** Every text in several languages, however deep. */
function listTexts(value: unknown): Record<string, string>[] {
  if (typeof value !== 'object' || value === null) return []
  if ('en' in value) return [value as unknown as Record<string, string>]
  return Object.values(value).flatMap(listTexts)
}

describe('a project from a template', () => {
  test('has its stages from its opening on, on the site’s clock across summer time', async () => {
    const { stages, activity, project } = await readRows(await make({ template: 'street', opensAt: '2026-03-02T14:00:00Z' }))
    expect(project?.opensAt).toEqual(new Date('2026-03-02T14:00:00Z'))
    expect(stages.map(({ startsAt }) => startsAt.toISOString()).slice(0, 2)).toEqual([
      '2026-03-02T14:00:00.000Z',
      '2026-03-30T13:00:00.000Z',
    ])
    expect(stages[0]?.endsAt?.toISOString()).toBe('2026-03-30T13:00:00.000Z')
    expect(activity?.stageId).toBe(stages[0]?.id)
  })

  test('without an opening, has its first stage in four weeks', async () => {
    const before = Date.now()
    const { stages } = await readRows(await make({ template: 'plan' }))
    const days = ((stages[0]?.startsAt.getTime() ?? 0) - before) / 86_400_000
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(29)
  })

  test('has an activity with the statuses and settings of its kind, as if it was made by hand', async () => {
    const { activity, statuses } = await readRows(await make({ template: 'plan' }))
    expect(activity?.settings).toMatchObject({ answerDays: 10, shownNames: ['first_name', 'anonymous'] })
    expect(statuses.map(({ code }) => code).toSorted()).toEqual(['answered', 'received', 'under_review'])
    const shown = await api().get(`/activities/${activity?.id}`)
    expect(shown.status).toBe(200)
  })

  test('about a budget has a vote that is a draft, with a pot and no options', async () => {
    const { round, pots } = await readRows(await make({ template: 'budget' }))
    expect(round).toMatchObject({ status: 'draft', hasBallots: false })
    expect(pots).toMatchObject([{ amount: 10_000_000 }])
  })

  test('keeps what is said about it instead of what the template says', async () => {
    const { project } = await readRows(await make({ template: 'service', summaryTranslations: { en: 'Our library' }, faqs: [] }))
    expect(project).toMatchObject({ summary: { en: 'Our library' }, faqs: [] })
  })

  test('can be duplicated, and is in the audit log', async () => {
    const id = await make({ template: 'street' })
    const copy = await readRows(await make({ copyOf: id }))
    expect([copy.stages.length, copy.surveys.length, copy.statuses.length]).toEqual([4, 1, 7])
    const [event] = await inSite((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.action, 'projects.create'), eq(auditEvents.projectId, id))),
    )
    expect(event?.detail).toMatchObject({ template: 'street' })
  })

  test('is refused beside a project to copy, and for a template that does not exist', async () => {
    const copyOf = await make({})
    const post = (attributes: Record<string, unknown>) =>
      api().post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'X' }, ...attributes }))
    expect((await post({ copyOf, template: 'street' })).body?.errors).toMatchObject([
      { code: 'not-a-choice', source: { pointer: '/data/attributes/template' } },
    ])
    expect((await post({ template: 'bridge' })).status).toBe(422)
  })
})

test('the list of templates is for people with a role', async () => {
  expect((await createApiClient(runtime, site).get('/project-templates')).status).toBe(401)
  const resident = await addPerson(runtime, site)
  expect((await api(resident).get('/project-templates')).status).toBe(403)
  const { body } = await api().get('/project-templates')
  expect(body?.data).toMatchObject(PROJECT_TEMPLATES.map((id) => ({ id })))
})
