import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, officialResponses } from '#app/server/db/schema/contributions.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { mergeContributions } from '../merging/merge-contributions.server.ts'
import type { ActivityFormat } from './activity-export.schema.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { exportActivity, exportPublished } from './activity-export.server.ts'
import { getActivityResults } from './activity-results.server.ts'

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let wards: Record<string, string>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  wards = await addAreas(runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
})

const as = (viewer: Ctx['viewer'] = admin): Ctx => createCtx(runtime, site, { viewer, language: 'en', reason: 'The data officer asks' })
type Values = Partial<typeof contributions.$inferInsert>
/** Several contributions, numbered from 1. */
const addAll = async (activityId: string, all: readonly Values[]) => {
  const rows = []
  for (const [at, values] of all.entries()) rows.push(await addContribution(runtime, site, { activityId, number: at + 1, ...values }))
  return rows
}
const repeat = (times: number, values: Values): Values[] => Array.from({ length: times }, () => values)
const categories = ['green', 'roads'].map((id) => ({ id, title: inAllLanguages(id === 'green' ? 'Green' : 'Roads') }))
const addProjectAdmin = async () => {
  const project = await addProject(runtime, site)
  const viewer = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
  return { project, viewer }
}
const answer = (contributionId: string, at: string, version = 1) =>
  as().db.tx((tx) =>
    tx.insert(officialResponses).values({
      siteId: site.id,
      id: createId(),
      contributionId,
      text: { en: '=HYPERLINK("https://example.org")' },
      team: { en: 'Parks' },
      version,
      createdAt: new Date(at),
    }),
  )

describe('the results of an activity', () => {
  test('count by day of the site, category, area, status, source and state', async () => {
    const activity = await addActivity(runtime, site, { settings: { categories } })
    const [received, , planned] = activity.statuses
    await addAll(activity.id, [
      { categories: ['green'], areaId: wards['Elm'] ?? '', statusId: received?.id ?? '', submittedAt: new Date('2026-01-05T12:00:00Z') },
      {
        categories: ['green', 'roads'],
        areaId: wards['Oak'] ?? '',
        statusId: planned?.id ?? '',
        submittedAt: new Date('2026-01-05T12:00:00Z'),
      },
      { statusId: received?.id ?? '', source: 'paper', submittedAt: new Date('2026-01-07T12:00:00Z'), supports: 4, repliesCount: 2 },
      { state: 'held' },
      { state: 'declined' },
    ])
    const results = await getActivityResults(as(), activity.id)
    expect(results).toMatchObject({
      total: 3,
      supports: 4,
      replies: 2,
      days: [
        { day: '2026-01-05', count: 2 },
        { day: '2026-01-07', count: 1 },
      ],
      categories: [
        { id: 'green', name: 'Green', count: 2 },
        { id: 'roads', name: 'Roads', count: 1 },
        { id: '', name: '', count: 1 },
      ],
      sources: [
        { id: 'web', count: 2 },
        { id: 'paper', count: 1 },
      ],
      supported: [{ number: 3, supports: 4 }],
      answered: { count: 0, medianDays: null },
      map: null,
      isSuppressed: false,
    })
    expect(results.areas.map(({ name, count }) => [name, count]).toSorted()).toEqual([
      ['', 1],
      ['Elm', 1],
      ['Oak', 1],
    ])
    expect(results.statuses.map(({ name, count }) => [name, count])).toEqual([
      ['Received', 2],
      ['Planned', 1],
    ])
    expect(results.states.map(({ state, count }) => [state, count]).toSorted()).toEqual([
      ['declined', 1],
      ['held', 1],
      ['published', 3],
    ])
  })

  test('say how many were answered and after how many days (median) the first answer came', async () => {
    const activity = await addActivity(runtime, site)
    const publishedAt = new Date('2026-01-01T00:00:00Z')
    const rows = await addAll(activity.id, repeat(4, { publishedAt }))
    for (const [at, day] of ['02', '03', '11'].entries()) await answer(rows[at]?.id ?? '', `2026-01-${day}T00:00:00Z`)
    await answer(rows[0]?.id ?? '', '2026-01-30T00:00:00Z', 2)
    expect((await getActivityResults(as(), activity.id)).answered).toEqual({ count: 3, medianDays: 2 })
  })

  test('count merged ones, and their supporters once', async () => {
    const activity = await addActivity(runtime, site)
    const [double, target] = await addAll(activity.id, [{ supports: 0 }, { supports: 0 }])
    await mergeContributions(as(), { contributionId: double?.id ?? '', targetId: target?.id ?? '', reason: 'The same' })
    const results = await getActivityResults(as(), activity.id)
    expect([results.total, results.supports]).toEqual([2, 0])
  })

  test('hide groups of fewer than five people, and one more that would give them away, from those who may not see personal data', async () => {
    const { project, viewer } = await addProjectAdmin()
    const activity = await addActivity(runtime, site, { projectId: project.id, settings: { categories } })
    await addAll(activity.id, [
      ...repeat(9, { areaId: wards['Elm'] ?? '', categories: ['green'] }),
      ...repeat(6, { areaId: wards['Oak'] ?? '', categories: ['green'] }),
      ...repeat(2, { categories: ['green'] }),
    ])
    const hidden = await getActivityResults(as(viewer), activity.id)
    expect(hidden.areas.map(({ name, count }) => [name, count])).toEqual([
      ['Elm', 9],
      ['Oak', null],
      ['', null],
    ])
    expect(hidden.categories).toEqual([{ id: 'green', name: 'Green', count: 17 }])
    expect(hidden).toMatchObject({ isSuppressed: true, mayExportPersonal: false })
    expect((await getActivityResults(as(), activity.id)).areas.map(({ count }) => count)).toEqual([9, 6, 2])
  })

  test('count one person once when they decide which groups are small, however many texts that person sent', async () => {
    const { project, viewer } = await addProjectAdmin()
    const busy = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site, { projectId: project.id, settings: { categories } })
    const [received, , planned] = activity.statuses
    await addAll(activity.id, [
      ...repeat(9, { areaId: wards['Elm'] ?? '', categories: ['green'], statusId: received?.id ?? '' }),
      ...repeat(6, { categories: ['green'], statusId: received?.id ?? '' }),
      // Five texts, and more than another group has, but one person.
      ...repeat(7, { areaId: wards['Oak'] ?? '', categories: ['roads'], statusId: planned?.id ?? '', source: 'paper', authorId: busy.id }),
    ])
    const hidden = await getActivityResults(as(viewer), activity.id)
    // What is hidden comes last, in an order that is not that of the counts.
    expect(hidden.areas.map(({ name, count }) => [name, count])).toEqual([
      ['Elm', 9],
      ...hidden.areas.slice(1).map(({ name }) => [name, null]),
    ])
    expect(hidden.areas.slice(1).map(({ id }) => id)).toEqual([wards['Oak'], ''])
    expect(hidden.categories.map(({ id, count }) => [id, count])).toEqual([
      ['green', null],
      ['roads', null],
    ])
    expect(hidden.statuses.map(({ count }) => count)).toEqual([null, null])
    expect(hidden.sources.map(({ count }) => count)).toEqual([null, null])
    const exact = await getActivityResults(as(), activity.id)
    expect(exact.areas.map(({ name, count }) => [name, count])).toEqual([
      ['Elm', 9],
      ['Oak', 7],
      ['', 6],
    ])
  })

  const choice = (id: string, type: 'one_choice' | 'several_choices', options: readonly string[]) => ({
    id,
    type,
    title: inAllLanguages(`Question ${id}`),
    shownTo: 'public',
    options: options.map((option) => ({ id: option, label: inAllLanguages(option.toUpperCase()) })),
  })
  const question = (id: string, type: string) => ({ id, type, title: inAllLanguages(`Question ${id}`), shownTo: 'public' })
  const countsOf = ({ answers }: Awaited<ReturnType<typeof getActivityResults>>) =>
    Object.fromEntries(answers.map(({ id, answered, lines }) => [id, [answered, ...lines.map(({ name, count }) => `${name}: ${count}`)]]))

  test('count the answers to extra questions that are no text, of what everybody can read', async () => {
    const activity = await addActivity(runtime, site, {
      fields: [
        choice('tree', 'one_choice', ['oak', 'elm', 'ash']),
        choice('use', 'several_choices', ['play', 'rest']),
        question('many', 'number'),
        question('when', 'date'),
        { ...question('near', 'yes_no'), shownTo: 'staff', archived: true },
        question('why', 'long_text'),
      ],
    })
    await addAll(activity.id, [
      { fields: { tree: 'oak', use: ['play', 'rest'], many: 2, when: '2026-03-01', near: 'yes', why: 'Shade' } },
      { fields: { tree: 'oak', use: ['rest'], many: 4, when: '2026-03-31', near: 'no' } },
      { fields: { tree: 'elm', many: 9, when: '2026-04-01' } },
      { fields: {} },
      { state: 'held', fields: { tree: 'ash', many: 100 } },
      { state: 'removed', fields: { tree: 'ash', many: 100 } },
    ])
    const results = await getActivityResults(as(), activity.id)
    expect(countsOf(results)).toEqual({
      tree: [3, 'OAK: 2', 'ELM: 1', 'ASH: 0'],
      use: [2, 'PLAY: 1', 'REST: 2'],
      many: [3, '2: 1', '4: 1', '9: 1'],
      when: [3, 'March 2026: 2', 'April 2026: 1'],
      near: [2, 'Yes: 1', 'No: 1'],
    })
    expect(results.answers.find(({ id }) => id === 'many')).toMatchObject({ mean: 5, median: 4 })
    expect(results.answers.map(({ shownTo, isArchived, isSeveral }) => [shownTo, isArchived, isSeveral])).toEqual([
      ['public', false, false],
      ['public', false, true],
      ['public', false, false],
      ['public', false, false],
      ['staff', true, false],
    ])
  })

  test('hide what fewer than five people answered, however often one of them did, and averages that would tell it', async () => {
    const { project, viewer } = await addProjectAdmin()
    const busy = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site, {
      projectId: project.id,
      fields: [choice('tree', 'one_choice', ['oak', 'elm', 'ash']), question('many', 'number'), question('rare', 'yes_no')],
    })
    await addAll(activity.id, [
      ...repeat(9, { fields: { tree: 'oak', many: 2 } }),
      ...repeat(6, { fields: { tree: 'elm', many: 3 } }),
      // Seven by one person are one person.
      ...repeat(7, { fields: { tree: 'ash', many: 50 }, authorId: busy.id }),
      ...repeat(4, { fields: { rare: 'yes' } }),
    ])
    const hidden = await getActivityResults(as(viewer), activity.id)
    expect(countsOf(hidden)).toEqual({
      tree: [22, 'OAK: 9', 'ELM: null', 'ASH: null'],
      // A number that is listed was given by somebody.
      many: [22, '2: 9'],
      rare: [null, 'Yes: null', 'No: null'],
    })
    for (const { mean, median } of hidden.answers) expect([mean, median]).toEqual([null, null])
    const exact = await getActivityResults(as(), activity.id)
    expect(countsOf(exact)['tree']).toEqual([22, 'OAK: 9', 'ELM: 6', 'ASH: 7'])
    expect(exact.answers[1]).toMatchObject({ mean: (18 + 18 + 350) / 22, median: 3 })
  })

  test('show squares of the map in which at least five people placed something, to anybody', async () => {
    const activity = await addActivity(runtime, site, { kind: 'places' })
    const at = (lng: number, lat: number): Values => ({ lng, lat, geometry: { type: 'Point', coordinates: [lng, lat] } })
    const busy = await addPerson(runtime, site)
    await addAll(activity.id, [
      ...repeat(5, at(-74.755, 45.0525)),
      ...repeat(4, at(-74.655, 45.0525)),
      // Six by one person are one person.
      ...repeat(6, { ...at(-74.705, 45.0525), authorId: busy.id }),
      {},
    ])
    const { map } = await getActivityResults(as(), activity.id)
    expect(map).toMatchObject({ placed: 15, shown: 5, squares: [{ lng: -74.755, lat: 45.0525, area: 'Elm', count: 5, people: 5 }] })
    expect(map?.squares).toHaveLength(1)
    const corners = map?.squares[0]?.corners
    expect(corners?.[1][0]).toBeGreaterThan(corners?.[0][0] ?? Infinity)
  })

  test('need as many statements for 200 contributions as for 5', async () => {
    const count = async (contributionsCount: number) => {
      const fields = [choice('tree', 'one_choice', ['oak', 'elm']), question('many', 'number')]
      const activity = await addActivity(runtime, site, { kind: 'places', fields })
      await addAll(activity.id, repeat(contributionsCount, { fields: { tree: 'oak', many: 3 } }))
      await getActivityResults(as(), activity.id)
      const { statements } = await recordDatabaseUse(runtime, () => getActivityResults(as(), activity.id))
      return statements.length
    }
    const few = await count(5)
    expect(few).toBeLessThanOrEqual(11)
    expect(await count(200)).toBe(few)
  })

  test('are for those who may see what was sent', async () => {
    const { project, viewer } = await addProjectAdmin()
    const own = await addActivity(runtime, site, { projectId: project.id })
    const other = await addActivity(runtime, site)
    expect((await getActivityResults(as(viewer), own.id)).total).toBe(0)
    for (const [who, id] of [
      [viewer, other.id],
      [VISITOR, own.id],
      [await addPerson(runtime, site), own.id],
    ] as const)
      // prettier-ignore
      await expect(getActivityResults(as(who), id)).rejects.toMatchObject({ code: who.kind === 'visitor' ? 'unauthenticated' : 'forbidden' })
    await expect(getActivityResults(as(), createId())).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a file of an activity', () => {
  const readFile = async (
    activityId: string,
    format: ActivityFormat,
    { viewer = admin, personal = false, language = 'en' }: { viewer?: SignedInViewer; personal?: boolean; language?: Language } = {},
  ) => {
    const { pieces, filename } = await exportActivity({ ...as(viewer), language }, activityId, { format, personal })
    const taken: Uint8Array[] = []
    for await (const piece of pieces) taken.push(piece)
    return { bytes: Buffer.concat(taken), filename }
  }

  const start = async (projectId?: string) => {
    const author = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site, { kind: 'places', settings: { categories }, ...(projectId && { projectId }) })
    const rows = await addAll(activity.id, [
      {
        title: '=1+1',
        body: 'Two lines,\nwith “quotes” and "quotes"',
        categories: ['green', 'roads'],
        areaId: wards['Elm'] ?? '',
        placeText: 'By the mill',
        lng: -74.755,
        lat: 45.0525,
        geometry: { type: 'Point', coordinates: [-74.755, 45.0525] },
        shownName: 'Ana',
        authorId: author.id,
        supports: 7,
        repliesCount: 2,
        statusId: null,
      },
      {
        title: 'Removed title',
        body: 'With a phone number',
        shownName: 'Bob',
        state: 'removed',
        lng: -74.7,
        lat: 45.05,
        geometry: { type: 'Point', coordinates: [-74.7, 45.05] },
      },
      { title: 'Élan y gân ŵyl', body: 'Plain', language: 'cy' },
    ])
    await answer(rows[0]?.id ?? '', '2026-01-09T00:00:00Z')
    return { author, activity, rows }
  }
  const FIRST = {
    number: '1',
    state: 'published',
    title: "'=1+1",
    text: 'Two lines,\nwith “quotes” and "quotes"',
    categories: 'Green; Roads',
    area: 'Elm',
    place: 'By the mill',
    longitude: '-74.755',
    latitude: '45.0525',
    shown_name: 'Ana',
    language: 'en',
    source: 'web',
    supports: '7',
    replies: '2',
    submitted_at: '2026-01-05T00:00:00.000Z',
    published_at: '2026-01-06T00:00:00.000Z',
    photos: '',
    merged_into: '',
    status: '',
    answer: `'=HYPERLINK("https://example.org")`,
    answered_by: 'Parks',
    answered_at: '2026-01-09T00:00:00.000Z',
  }

  test('as CSV holds every contribution, with formulas escaped, and no text that is not public', async () => {
    const { activity } = await start()
    const { bytes, filename } = await readFile(activity.id, 'csv')
    expect(filename).toMatch(new RegExp(`^${activity.slug}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const records = parse(bytes, { bom: true, columns: true }) as Record<string, string>[]
    expect(records[0]).toEqual(FIRST)
    expect(records[1]).toMatchObject({ number: '2', state: 'removed', title: '', text: '', shown_name: '', longitude: '' })
    expect(records[2]).toMatchObject({ number: '3', title: 'Élan y gân ŵyl', language: 'cy' })
    expect(records).toHaveLength(3)
  })

  test('as XLSX holds the same, with text as text', async () => {
    const { activity } = await start()
    const book = await readXlsx((await readFile(activity.id, 'xlsx')).bytes)
    const [sheet] = book.sheets
    expect(sheet?.rows[0]).toEqual(Object.keys(FIRST))
    const { title, answer: _, ...same } = FIRST
    const first = Object.fromEntries(Object.keys(FIRST).map((name, at) => [name, sheet?.rows[1]?.[at] ?? '']))
    expect(first).toEqual({
      ...same,
      title: title.slice(1),
      answer: '=HYPERLINK("https://example.org")',
      number: 1,
      longitude: -74.755,
      latitude: 45.0525,
      supports: 7,
      replies: 2,
    })
    expect(sheet?.rows).toHaveLength(4)
  })

  test('as XLSX says what its figures count, in the reader’s language', async () => {
    const { activity } = await start()
    const { bytes } = await readFile(activity.id, 'xlsx', { language: 'cy' })
    const means = getTranslator('cy', 'admin')
    expect((await readXlsx(bytes)).sheets[1]?.rows).toEqual([
      ['Ffigur', 'Beth sy’n cael ei gyfrif'],
      ['supports', means('figures.supports.means')],
      ['replies', means('figures.replies.means')],
    ])
  })

  test('as JSON and GeoJSON holds geometries; GeoJSON only what has one', async () => {
    const { activity } = await start()
    const json = JSON.parse((await readFile(activity.id, 'json')).bytes.toString())
    expect(json.contributions.map(({ number, geometry }: { number: number; geometry: unknown }) => [number, geometry])).toEqual([
      [1, { type: 'Point', coordinates: [-74.755, 45.0525] }],
      [2, null],
      [3, null],
    ])
    expect(json.contributions[0].categories).toEqual(['Green', 'Roads'])
    const map = JSON.parse((await readFile(activity.id, 'geojson')).bytes.toString())
    expect(map).toMatchObject({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', id: 1, geometry: { type: 'Point', coordinates: [-74.755, 45.0525] }, properties: { title: '=1+1' } }],
    })
    expect(map.features).toHaveLength(1)
  })

  test('is valid when nobody has contributed, and holds pages of many', async () => {
    const activity = await addActivity(runtime, site, { kind: 'places' })
    expect(JSON.parse((await readFile(activity.id, 'json')).bytes.toString())).toEqual({ contributions: [] })
    expect(JSON.parse((await readFile(activity.id, 'geojson')).bytes.toString())).toEqual({ type: 'FeatureCollection', features: [] })
    await addAll(activity.id, repeat(401, {}))
    const json = JSON.parse((await readFile(activity.id, 'json')).bytes.toString())
    expect(json.contributions.map(({ number }: { number: number }) => number)).toEqual(Array.from({ length: 401 }, (_, at) => at + 1))
    expect(parse((await readFile(activity.id, 'csv')).bytes, { bom: true, columns: true })).toHaveLength(401)
  })

  test('names authors, and what was removed, only for those who may export personal data; each is in the audit trail', async () => {
    const { project, viewer } = await addProjectAdmin()
    const { activity, author } = await start(project.id)
    const records = parse((await readFile(activity.id, 'csv', { personal: true })).bytes, { bom: true, columns: true }) as Record<
      string,
      string
    >[]
    expect(records[0]).toEqual({ ...FIRST, login: author.login, email: author.email })
    expect(records[1]).toMatchObject({ title: 'Removed title', text: 'With a phone number', shown_name: 'Bob', login: '' })
    expect((await readFile(activity.id, 'csv', { viewer })).bytes.toString()).not.toContain(author.email)
    await expect(readFile(activity.id, 'csv', { viewer, personal: true })).rejects.toMatchObject({ code: 'forbidden' })
    const details = await as().db.tx((tx) =>
      tx
        .select({ action: auditEvents.action, detail: auditEvents.detail })
        .from(auditEvents)
        .where(eq(auditEvents.subjectId, activity.id))
        .orderBy(auditEvents.sequence),
    )
    expect(details).toEqual([
      { action: 'contributions.export', detail: { format: 'csv', personal: true, reason: 'The data officer asks' } },
      { action: 'contributions.export', detail: { format: 'csv', personal: false } },
    ])
  })

  test('is refused to others, and as GeoJSON where there are no places', async () => {
    const ideas = await addActivity(runtime, site)
    await expect(readFile(ideas.id, 'geojson')).rejects.toMatchObject({ code: 'not-found' })
    await expect(exportActivity(as(VISITOR), ideas.id, { format: 'csv', personal: false })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const person = await addPerson(runtime, site)
    await expect(readFile(ideas.id, 'csv', { viewer: person })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('each extra question is a column, without formulas; what is for the team only is for moderators', async () => {
    const title = inAllLanguages('Why?')
    const fields = [
      { id: 'why', type: 'short_text', title, shownTo: 'public' },
      { id: 'plant', type: 'one_choice', title, shownTo: 'public', options: [{ id: 'oak', label: inAllLanguages('An oak') }] },
      { id: 'reach', type: 'short_text', title, shownTo: 'staff' },
    ]
    const activity = await addActivity(runtime, site, { fields, settings: { openData: true } })
    await addAll(activity.id, [
      { fields: { why: '=1+1', plant: 'oak', reach: 'The blue door' } },
      { state: 'removed', fields: { why: 'Gone', reach: 'Gone too' } },
    ])
    const [first, second] = parse((await readFile(activity.id, 'csv')).bytes, { bom: true, columns: true }) as Record<string, string>[]
    expect(first).toMatchObject({ 'Why? [why]': "'=1+1", 'Why? [plant]': 'An oak', 'Why? [reach]': 'The blue door' })
    expect(second).toMatchObject({ 'Why? [why]': '', 'Why? [reach]': '' })
    const json = JSON.parse((await readFile(activity.id, 'json')).bytes.toString()) as { contributions: { fields: unknown }[] }
    expect(json.contributions[0]?.fields).toEqual({ why: '=1+1', plant: 'An oak', reach: 'The blue door' })
    const visitor = createCtx(runtime, site, { viewer: VISITOR, language: 'en' })
    const placed = await visitor.db.read((tx) => requireActivityAt(visitor, tx, { project: activity.projectSlug, activity: activity.slug }))
    const pieces = []
    for await (const piece of exportPublished(visitor, placed, 'csv').pieces) pieces.push(piece)
    const open = Buffer.concat(pieces).toString()
    expect(open).toContain('An oak')
    expect(open).not.toMatch(/blue door|reach|Gone/)
  })
})
