import { and, eq } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { budgetBallots, budgetOptions, budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributions, contributionStatuses, mapLayers, projectStages } from '#app/server/db/schema/contributions.ts'
import { projectDates, projectDocuments, projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addActivity, addContribution, addStage } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let original: string

const inSite = <T>(work: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(work)

const VERIFICATION = { list: createId() }
const CATEGORIES = [
  { id: 'trees', title: { en: 'Trees' } },
  { id: 'old', title: { en: 'Old' }, archived: true },
]

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  original = (
    await addProject(runtime, site, {
      title: { en: 'A street' },
      opensAt: new Date('2026-03-02T14:00:00Z'),
      closesAt: new Date('2026-03-30T16:00:00Z'),
      faqs: [{ question: { en: 'Why?' }, answer: { en: 'Because.' } }],
      team: [{ name: 'Bea', role: { en: 'Planner' } }],
      outcome: { en: 'We built it.' },
    })
  ).id
  const stage = await addStage(runtime, site, {
    projectId: original,
    title: { en: 'Listening' },
    startsAt: new Date('2026-03-02T14:00:00Z'),
    endsAt: new Date('2026-03-16T14:00:00Z'),
  })
  const activity = await addActivity(runtime, site, {
    projectId: original,
    stageId: stage.id,
    title: { en: 'Ideas for the street' },
    opensAt: new Date('2026-03-03T14:00:00Z'),
    closesAt: new Date('2026-03-20T14:00:00Z'),
    settings: { categories: CATEGORIES },
    fields: [
      { id: 'age', type: 'short_text', title: { en: 'Age' } },
      { id: 'gone', type: 'short_text', title: { en: 'Gone' }, archived: true },
    ],
  })
  await addActivity(runtime, site, { projectId: original, slug: 'over', title: { en: 'Over' }, status: 'archived' })
  await addContribution(runtime, site, { activityId: activity.id, number: 1 })
  await addSurvey(runtime, site, {
    projectId: original,
    title: { en: 'How do you travel?' },
    access: 'verified',
    verification: VERIFICATION as never,
  })
  await inSite(async (tx) => {
    await tx.insert(contributionStatuses).values([
      { siteId: site.id, id: createId(), activityId: activity.id, title: { en: 'Planned' }, position: 7 },
      { siteId: site.id, id: createId(), activityId: activity.id, title: { en: 'Dropped' }, archived: true },
    ])
    await tx.insert(mapLayers).values({
      siteId: site.id,
      id: createId(),
      activityId: activity.id,
      number: 1,
      name: { en: 'Cycle paths' },
      pattern: 'solid' as never,
      bytes: 10,
      features: 1,
      box: [0, 0, 1, 1],
      shapes: [],
      isSimplified: false,
      columns: [],
      rows: [],
    })
    await tx.insert(projectDates).values({
      siteId: site.id,
      id: createId(),
      projectId: original,
      title: { en: 'Open evening' },
      happensAt: new Date('2026-03-09T22:30:00Z'),
    })
    await tx.insert(projectDocuments).values({
      siteId: site.id,
      id: createId(),
      projectId: original,
      title: { en: 'Plan' },
      file: 'https://example.org/plan.pdf',
      mediaType: 'application/pdf',
      bytes: 3,
    })
    await tx.insert(projectMembers).values({ siteId: site.id, projectId: original, userId: admin.id })
  })
})

async function copy(attributes: Record<string, unknown> = {}): Promise<string> {
  const answer = await createApiClient(runtime, site, admin.token).post(
    '/projects',
    buildResourceDocument('projects', { titleTranslations: { en: 'Another street' }, copyOf: original, ...attributes }),
  )
  expect(answer.status).toBe(201)
  return requireItem(answer).id
}

/** Everything that a project has, in rows. */
const readRows = (projectId: string) =>
  inSite(async (tx) => {
    const of = (table: { projectId: AnyPgColumn }) => eq(table.projectId, projectId)
    const [project] = await tx.select().from(projects).where(eq(projects.id, projectId))
    const own = await tx.select().from(activities).where(of(activities)).orderBy(activities.slug)
    const inActivities = own.map(({ id }) => id)
    const among = <Row extends { activityId: string }>(rows: readonly Row[]) => rows.filter((row) => inActivities.includes(row.activityId))
    return {
      project,
      stages: await tx.select().from(projectStages).where(of(projectStages)),
      activities: own,
      statuses: among(await tx.select().from(contributionStatuses).orderBy(contributionStatuses.position, contributionStatuses.id)),
      layers: among(await tx.select().from(mapLayers)),
      contributions: among(await tx.select().from(contributions)),
      surveys: await tx.select().from(surveys).where(of(surveys)),
      dates: await tx.select().from(projectDates).where(of(projectDates)),
      documents: await tx.select().from(projectDocuments).where(of(projectDocuments)),
      members: await tx.select().from(projectMembers).where(of(projectMembers)),
    }
  })

/** The votes on money of a project, with what they rest on. */
const readBudgets = (projectId: string) =>
  inSite(async (tx) => {
    const rounds = await tx.select().from(budgetRounds).where(eq(budgetRounds.projectId, projectId))
    const ids = rounds.map(({ id }) => id)
    const pots = (await tx.select().from(budgetPots)).filter(({ roundId }) => ids.includes(roundId))
    const options = (await tx.select().from(budgetOptions)).filter(({ roundId }) => ids.includes(roundId))
    const ballots = (await tx.select().from(budgetBallots)).filter(({ roundId }) => ids.includes(roundId))
    return { rounds, pots, options: options.toSorted((a, b) => a.number - b.number), ballots }
  })

describe('a duplicate of a project with a budget', () => {
  const addBudget = async () => {
    const projectId = (await addProject(runtime, site, { opensAt: new Date('2026-03-02T14:00:00Z') })).id
    const round = await addRound(
      runtime,
      site,
      [
        { amount: 10_000, costs: [6000, 5000] },
        { amount: 2000, costs: [1000] },
      ],
      {
        projectId,
        ballotType: 'approve',
        maxOptions: 2,
        maxPots: 1,
        rule: 'greedy',
        threshold: 3,
        paper: 'sheets',
        opensAt: new Date('2026-03-03T14:00:00Z'),
        closesAt: new Date('2026-03-20T14:00:00Z'),
      },
    )
    await inSite(async (tx) => {
      const second = eq(budgetOptions.id, round.options[1]?.id ?? '')
      await tx
        .update(budgetOptions)
        .set({ withdrawnAt: new Date(), withdrawnReason: { en: 'Polluted ground' } })
        .where(second)
      await tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, round.id))
      await tx.insert(budgetBallots).values({
        siteId: site.id,
        id: createId(),
        roundId: round.id,
        options: [1],
        castAt: new Date('2026-03-04T14:00:00Z'),
        receiptHash: Buffer.from(round.id),
      })
    })
    return projectId
  }

  test('brings its rules, pots and options as a draft, without ballots, withdrawn options and dates', async () => {
    const from = await addBudget()
    const before = await readBudgets(from)
    const made = await readBudgets(await copy({ copyOf: from }))
    const { slug, title } = before.rounds[0] ?? {}
    expect(made.rounds).toMatchObject([
      {
        slug,
        title,
        status: 'draft',
        hasBallots: false,
        seed: null,
        opensAt: null,
        closesAt: null,
        ballotType: 'approve',
        maxOptions: 2,
        maxPots: 1,
        rule: 'greedy',
        threshold: 3,
        paper: 'sheets',
      },
    ])
    expect(made.pots.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([2000, 10_000])
    expect(made.options).toMatchObject([
      { number: 1, cost: 6000, state: 'feasible', withdrawnAt: null, delivery: null, contributionId: null },
      { number: 3, cost: 1000 },
    ])
    const potOf = (at: number) => made.pots.find(({ id }) => id === made.options[at]?.potId)?.amount
    expect([potOf(0), potOf(1)]).toEqual([10_000, 2000])
    expect(made.ballots).toEqual([])
    expect(await readBudgets(from)).toEqual(before)
  })

  test('moves its voting with the opening, and leaves it out if it was not chosen', async () => {
    const from = await addBudget()
    const moved = await readBudgets(await copy({ copyOf: from, opensAt: '2026-06-01T13:00:00Z' }))
    expect(moved.rounds).toMatchObject([{ opensAt: new Date('2026-06-02T13:00:00Z'), closesAt: new Date('2026-06-19T14:00:00Z') }])
    expect((await readBudgets(await copy({ copyOf: from, copyParts: ['stages'] }))).rounds).toEqual([])
  })
})

describe('a duplicate of a project', () => {
  test('brings all but the team, and nothing that people said', async () => {
    const before = await readRows(original)
    const made = await readRows(await copy())
    expect(made.project).toMatchObject({
      status: 'draft',
      opensAt: null,
      closesAt: null,
      team: [],
      faqs: before.project?.faqs,
      outcome: {},
      participants: 0,
    })
    expect(made.stages).toMatchObject([{ title: { en: 'Listening' }, kind: before.stages[0]?.kind }])
    expect(made.activities).toMatchObject([
      {
        title: { en: 'Ideas for the street' },
        status: 'draft',
        stageId: made.stages[0]?.id,
        opensAt: null,
        closesAt: null,
        hasOpened: false,
        numbered: 0,
        layers: before.activities.find(({ slug }) => slug !== 'over')?.layers,
      },
    ])
    expect(made.activities[0]?.settings).toMatchObject({ categories: [CATEGORIES[0]] })
    expect(made.activities[0]?.fields).toMatchObject([{ id: 'age' }])
    expect(made.statuses.map(({ title }) => title['en'])).toContain('Planned')
    expect(made.statuses.map(({ title }) => title['en'])).not.toContain('Dropped')
    expect(made.layers).toMatchObject([{ name: { en: 'Cycle paths' } }])
    expect(made.surveys).toMatchObject([
      { status: 'draft', access: 'verified', verification: VERIFICATION, definition: before.surveys[0]?.definition, responsesCount: 0 },
    ])
    expect(made.dates).toMatchObject([{ title: { en: 'Open evening' } }])
    expect(made.documents).toMatchObject([{ title: { en: 'Plan' }, file: 'https://example.org/plan.pdf' }])
    expect(before.contributions).toHaveLength(1)
    expect([made.contributions, made.members]).toEqual([[], []])
    // No row is shared.
    for (const part of ['stages', 'activities', 'statuses', 'layers', 'surveys', 'dates', 'documents'] as const) {
      const ids = new Set(before[part].map(({ id }) => id))
      expect(made[part].filter(({ id }) => ids.has(id))).toEqual([])
    }
    expect(await readRows(original)).toEqual(before)
  })

  test('brings only what was chosen', async () => {
    const made = await readRows(await copy({ copyParts: ['team', 'activities'] }))
    expect(made.project).toMatchObject({ team: [{ name: 'Bea' }], faqs: [] })
    // Without its stage, an activity belongs to none.
    expect(made.activities).toMatchObject([{ stageId: null }])
    expect([made.stages, made.surveys, made.dates, made.documents]).toEqual([[], [], [], []])
  })

  test('moves all dates with its opening, on the site’s clock across summer time', async () => {
    // The site is in Toronto: 14:00 UTC is 9:00 in winter, and 10:00 after the clocks changed on 8 March 2026.
    const made = await readRows(await copy({ opensAt: '2026-06-01T13:00:00Z' }))
    const opening = new Date('2026-06-01T13:00:00Z')
    expect(made.project).toMatchObject({ opensAt: opening, closesAt: new Date('2026-06-29T16:00:00Z') })
    expect(made.stages).toMatchObject([{ startsAt: opening, endsAt: new Date('2026-06-15T14:00:00Z') }])
    expect(made.activities).toMatchObject([{ opensAt: new Date('2026-06-02T13:00:00Z'), closesAt: new Date('2026-06-19T14:00:00Z') }])
    expect(made.dates).toMatchObject([{ happensAt: new Date('2026-06-08T22:30:00Z') }])
  })

  test('without an opening in the original, counts from the first of its dates', async () => {
    const opening = new Date('2026-06-01T13:00:00Z')
    const made = await readRows(await copy({ copyOf: await copy(), opensAt: opening.toISOString() }))
    expect(made.stages).toMatchObject([{ startsAt: opening, endsAt: new Date('2026-06-15T14:00:00Z') }])
    expect(made.dates).toMatchObject([{ happensAt: new Date('2026-06-08T22:30:00Z') }])
  })

  test('is in the audit log with what it brought', async () => {
    const id = await copy({ copyParts: ['faqs'] })
    const [event] = await inSite((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.action, 'projects.create'), eq(auditEvents.projectId, id))),
    )
    expect(event?.detail).toMatchObject({ copyOf: original, parts: ['faqs'] })
  })

  test('survives the deletion of its original, and the reverse', async () => {
    const api = createApiClient(runtime, site, admin.token)
    const first = await copy()
    const second = requireItem(
      await api.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'Third' }, copyOf: first })),
    ).id
    const { project: _, ...before } = await readRows(second)
    expect((await api.delete(`/projects/${first}`)).status).toBe(204)
    const { project, ...after } = await readRows(second)
    expect(project?.status).toBe('draft')
    expect(after).toEqual(before)
  })

  test('refuses parts that do not exist', async () => {
    const answer = await createApiClient(runtime, site, admin.token).post(
      '/projects',
      buildResourceDocument('projects', { titleTranslations: { en: 'X' }, copyOf: original, copyParts: ['members'] }),
    )
    expect(answer.status).toBe(422)
  })
})
