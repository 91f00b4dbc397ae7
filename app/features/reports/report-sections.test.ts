import { createHash, randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import mammoth from 'mammoth'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkMapFile } from '#app/features/areas/streets/check-map-file.server.ts'
import { buildMapFileKey } from '#app/features/areas/streets/site-streets.server.ts'
import { getActivityResults } from '#app/features/contributions/results/activity-results.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { rebuildTallies } from '#app/features/surveys/responses/response-counts.server.ts'
import { getPublicResults, getResults } from '#app/features/surveys/results/results.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { areas, mapFiles } from '#app/server/db/schema/areas.ts'
import { decisions, decisionThemes, themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { projectDocuments } from '#app/server/db/schema/projects.ts'
import { reachDays } from '#app/server/db/schema/reach.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { addCensus, sayAboutPerson } from '#tests/factories/census.ts'
import { addUpdate } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { toFeature } from '#tests/factories/map-files.ts'
import { addPerson, addProject, addSurvey, EVERY_TYPE } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { drawSquares } from './draw-squares.server.ts'
import { serveReportFile, showReport } from './report-files.server.ts'
import type { ReportBlock, ReportTable, ReportView } from './report.schema.ts'
import { parseReportGroup, readReportSearch, type ReportSearch } from './report.search.ts'

const NOW = new Date('2026-05-15T12:00:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer

const as = (language: 'en' | 'fr-CA' | 'cy' = 'en', viewer = admin): Ctx => createCtx(runtime, site, { viewer, language })
const blocksOf = (view: ReportView, id: string): ReportBlock[] => view.parts.find((part) => part.id === id)?.blocks ?? []
const tablesOf = (view: ReportView, id: string) => blocksOf(view, id).filter((block): block is ReportTable => block.kind === 'table')
const textsOf = (table: ReportTable | undefined) => table?.rows.map((cells) => cells.map(({ text }) => text))

async function takeFile(search: string, format: string, language = 'en') {
  const ctx = as()
  const request = new Request(`https://city.example/admin/reports/download/${format}?${search}&language=${language}`)
  const response = await serveReportFile({ context: { ctx } as never, params: { format }, request })
  return Buffer.from(await response.arrayBuffer())
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

describe('groups compared in a report', () => {
  let survey: { id: string; projectId: string }
  const search = (group?: string): ReportSearch => ({
    projects: [survey.projectId],
    from: '2026-05-01',
    until: '2026-05-15',
    ...(group ? { group } : {}),
  })

  beforeAll(async () => {
    survey = await addSurvey(runtime, site, { definition: EVERY_TYPE })
    const add = (count: number, mode: string, safe: number, submittedAt: Date, language: 'en' | 'fr-CA' = 'en') =>
      as().db.tx((tx) =>
        tx.insert(responses).values(
          Array.from({ length: count }, () => ({
            siteId: site.id,
            id: createId(),
            surveyId: survey.id,
            version: 1,
            language,
            answers: { mode: { choice: mode }, safe },
            submittedAt,
            receiptHash: randomBytes(32),
          })),
        ),
      )
    await add(40, 'bus', 5, NOW)
    await add(10, 'bus', 2, NOW)
    await add(10, 'foot', 5, NOW)
    await add(10, 'foot', 2, NOW)
    await add(30, 'foot', 2, NOW, 'fr-CA')
    await add(10, 'bus', 2, NOW, 'fr-CA')
    await add(30, 'bus', 5, new Date('2026-03-01T12:00:00Z'))
    await as().db.tx(async (tx) => {
      await tx.update(surveys).set({ responsesCount: 140 }).where(eq(surveys.id, survey.id))
      await rebuildTallies(tx, site.id, survey.id)
    })
  })

  test('have a table for each question, of the days of the report, to the nearest five', async () => {
    const view = await showReport(as(), search(`${survey.id}:question:mode`))
    const { rows } = await as().db.read((tx) =>
      tx.execute<{ people: number }>(sql`
        select count(*)::int as people from responses where site_id = ${site.id} and survey_id = ${survey.id}
          and submitted_at >= '2026-05-01' and answers->'mode'->>'choice' = 'bus' and answers->>'safe' = '5'`),
    )
    expect(rows[0]?.people).toBe(40)
    const safe = tablesOf(view, 'groups').find(({ caption }) => caption === 'How safe?')
    expect(safe?.heads).toEqual(['Answer', 'By bus', 'On foot', 'All'])
    const values = (start: string) => safe?.rows.find(([name]) => name?.text.startsWith(start))?.map(({ value }) => value)
    // 40 of 60 who came by bus and 10 of 50 on foot; those of March are not of these days.
    expect(values('5')?.slice(1)).toEqual([0.667, 0.2, 0.455])
    expect(values('People who answered')?.slice(1)).toEqual([60, 50, 110])
    const hidden = blocksOf(view, 'groups').find((block) => block.kind === 'text' && block.text.startsWith('Not shown'))
    expect(hidden).toMatchObject({ text: expect.stringContaining('Another way') as string })
  })

  test('of two languages differ as their rows do, and say so in a sentence', async () => {
    const view = await showReport(as(), search('language'))
    const mode = tablesOf(view, 'groups').find(({ caption }) => caption === 'How do you travel?')
    const values = (name: string) => mode?.rows.find(([first]) => first?.text === name)?.map(({ value }) => value)
    expect(values('People who answered')?.slice(1)).toEqual([70, 40, 110])
    expect(values('On foot')?.slice(1)).toEqual([0.286, 0.75, 0.455])
    expect(values('Another way')?.slice(1)).toEqual([null, null, null])
    const sentences = blocksOf(view, 'groups').flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    expect(sentences.find((text) => text.includes('By bus'))).toMatch(/^About 71% of “English” chose “By bus”, and about 25% of “Français”/)
  })

  test('are the same on paper, in a text document and in the workbook, in each language', async () => {
    const query = `projects=${survey.projectId}&from=2026-05-01&until=2026-05-15&group=language&sections=groups`
    const pdf = await readPdf(await takeFile(query, 'pdf', 'cy'))
    expect(JSON.stringify(pdf)).toContain('Cymharu grwpiau')
    const docx = await mammoth.convertToHtml({ buffer: await takeFile(query, 'docx') })
    expect(docx.value).toContain('People who answered')
    const { sheets } = await readXlsx(await takeFile(query, 'xlsx'))
    const names = sheets.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => name?.startsWith('Groups compared'))).toHaveLength(2)
    const csv = (await takeFile(`${query}&table=groups`, 'csv')).toString()
    expect(csv).toContain('How do you travel?')
    expect(csv).toContain('How safe?')
  })

  test('are offered from what the surveys ask, and nothing else is read from an address', async () => {
    const view = await showReport(as(), search())
    expect(view.groupChoices.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['language', 'channel', `${survey.id}:question:mode`, `${survey.id}:question:safe`]),
    )
    expect(blocksOf(view, 'groups')).toEqual([])
    expect(parseReportGroup('question:mode')).toBeUndefined()
    expect(parseReportGroup(`${survey.id}:language`)).toBeUndefined()
    expect(readReportSearch({ group: 'people; drop' })).toEqual({})
    const none = await showReport(as(), search('profile:none'))
    expect(blocksOf(none, 'groups')).toMatchObject([{ text: 'None of these surveys has these groups.' }])
  })
})

describe('places in a report', () => {
  const SQUARE = { lng: -79.385, lat: 43.6525 }
  let activity: { id: string; projectId: string }
  const placed = ({ lng, lat }: { lng: number; lat: number }) => ({
    lng,
    lat,
    geometry: { type: 'Point' as const, coordinates: [lng, lat] as [number, number] },
  })

  beforeAll(async () => {
    await as().db.tx((tx) =>
      tx.insert(areas).values({
        siteId: site.id,
        id: createId(),
        slug: 'old-town',
        name: 'Old <Town>',
        rings: [
          [
            [-79.45, 43.6],
            [-79.3, 43.6],
            [-79.3, 43.7],
            [-79.45, 43.7],
            [-79.45, 43.6],
          ],
        ],
      }),
    )
    activity = await addActivity(runtime, site, { kind: 'places' })
    for (let number = 1; number <= 6; number++)
      await addContribution(runtime, site, {
        activityId: activity.id,
        number,
        ...placed(SQUARE),
        submittedAt: new Date('2026-05-05T12:00:00Z'),
      })
    await addContribution(runtime, site, {
      activityId: activity.id,
      number: 7,
      ...placed({ lng: -79.32, lat: 43.61 }),
      submittedAt: new Date('2026-05-05T12:00:00Z'),
    })
    await addContribution(runtime, site, {
      activityId: activity.id,
      number: 8,
      ...placed(SQUARE),
      submittedAt: new Date('2026-03-05T12:00:00Z'),
    })
    await addContribution(runtime, site, {
      activityId: activity.id,
      number: 9,
      ...placed(SQUARE),
      state: 'held',
      submittedAt: new Date('2026-05-05T12:00:00Z'),
    })
  })

  const search = (): ReportSearch => ({ projects: [activity.projectId], from: '2026-05-01', until: '2026-05-15', sections: ['places'] })

  test('are squares of five people or more, counted from the rows of these days, as a map and as a table', async () => {
    const view = await showReport(as(), search())
    const { rows } = await as().db.read((tx) =>
      tx.execute<{ placed: number }>(sql`
        select count(*)::int as placed from contributions where site_id = ${site.id} and activity_id = ${activity.id} and lng is not null
          and state = 'published' and submitted_at >= '2026-05-01'`),
    )
    expect(rows[0]?.placed).toBe(7)
    const [map, table, note] = blocksOf(view, 'places')
    expect(map).toMatchObject({ kind: 'map', squares: [{ text: '6' }] })
    expect(textsOf(table as ReportTable)).toEqual(
      [['Old <Town>, around 43.653, -79.385', '6']].map((row) => [expect.stringContaining('Old <Town>'), row[1]]),
    )
    expect(note).toMatchObject({ text: expect.stringContaining('placed one: 6') as string })
    // The same squares as in the activity's own results, which have no period.
    expect((await getActivityResults(as(), activity.id)).map?.squares.map(({ count }) => count)).toEqual([7])
  })

  test('are a picture with an alternative text on paper, and no area’s name is markup in it', async () => {
    const view = await showReport(as('cy'), search())
    const [map] = blocksOf(view, 'places')
    if (map?.kind !== 'map') throw new Error('There is no map')
    const svg = drawSquares(map, '#123456')
    expect(svg).toContain('Old &lt;Town&gt;')
    expect(svg).not.toContain('<Town>')
    expect(svg).not.toContain('street')
    const query = `projects=${activity.projectId}&from=2026-05-01&until=2026-05-15&sections=places`
    const pdf = await readPdf(await takeFile(query, 'pdf'))
    expect(JSON.stringify(pdf)).toContain('A map with 1 square')
    const docx = await mammoth.convertToHtml({ buffer: await takeFile(query, 'docx') })
    expect(docx.value).toMatch(/<img alt="A map with 1 square/)
  })

  test('have the streets of the site’s map file on paper too, with who made it, and the same bytes each time', async () => {
    const road = toFeature(
      { highway: 'primary', name: 'Queen Street' },
      {
        type: 'LineString',
        coordinates: [
          [-79.44, 43.66],
          [-79.31, 43.64],
        ],
      },
    )
    const quarter = toFeature({ place: 'suburb', name: 'The <Beach>' }, { type: 'Point', coordinates: [-79.32, 43.68] })
    const { file = new Uint8Array(), ...cover } = await checkMapFile({
      file: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: [road, quarter] })),
    })
    const id = createId()
    await openStorage(runtime.env).put(buildMapFileKey(site.id, id), file)
    await as().db.tx((tx) =>
      tx.insert(mapFiles).values({
        siteId: site.id,
        id,
        hash: createHash('sha256').update(file).digest('hex'),
        bytes: file.length,
        name: 'town.pmtiles',
        ...cover,
        credit: '© Map makers',
        box: [...cover.box],
      }),
    )
    const drawn = async () => {
      const [map] = blocksOf(await showReport(as(), search()), 'places')
      if (map?.kind !== 'map') throw new Error('There is no map')
      return drawSquares(map, '#123456')
    }
    const svg = await drawn()
    expect(svg).toMatch(/class="street-(main|major)"/)
    expect(svg).toContain('The &lt;Beach&gt;')
    expect(svg).not.toContain('<Beach>')
    expect(await drawn()).toBe(svg)
    const query = `projects=${activity.projectId}&from=2026-05-01&until=2026-05-15&sections=places`
    const [pdf, again] = [await takeFile(query, 'pdf'), await takeFile(query, 'pdf')]
    expect(pdf.equals(again)).toBe(true)
    expect((await readPdf(pdf)).texts('Caption')[0]).toContain('. © Map makers')
    const docx = await mammoth.extractRawText({ buffer: await takeFile(query, 'docx') })
    expect(docx.value).toContain('. © Map makers')
  })

  test('are left out where nobody placed anything', async () => {
    const empty = await addProject(runtime, site)
    expect((await showReport(as(), { ...search(), projects: [empty.id] })).parts).toEqual([])
  })
})

describe('what changed stands beside the figures', () => {
  test('of the question and the activity whose texts a published decision rests on, and of no other', async () => {
    const survey = await addSurvey(runtime, site, { definition: EVERY_TYPE, resultsPublic: true })
    const { projectId } = survey
    const activity = await addActivity(runtime, site, { projectId })
    const idea = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const ids: string[] = []
    for (let count = 0; count < 6; count++) {
      const id = createId()
      ids.push(id)
      const ctx = createCtx(runtime, site)
      const sent = { id, sendKey: 'k'.repeat(22), answers: { name: 'Elm', ideas: 'A bench', mode: { choice: 'bus' } } }
      await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), sent)
    }
    const [theme, silent, decision, draft] = [createId(), createId(), createId(), createId()] as const
    await as().db.tx(async (tx) => {
      const own = { siteId: site.id, projectId }
      await tx.insert(themes).values([
        { ...own, id: theme, title: { en: 'Benches' } },
        { ...own, id: silent, title: { en: 'Lamps' } },
      ])
      const evidence = { ...own, version: 1, state: 'confirmed' as const }
      await tx.insert(themeEvidence).values([
        {
          ...evidence,
          id: createId(),
          themeId: theme,
          source: 'response',
          responseId: ids[0] ?? '',
          question: 'ideas',
          publishedVersion: 1,
        },
        { ...evidence, id: createId(), themeId: theme, source: 'contribution', contributionId: idea.id, publishedVersion: 1 },
        // Not published: nobody outside may learn of it.
        { ...evidence, id: createId(), themeId: theme, source: 'response', responseId: ids[1] ?? '', question: 'name' },
        {
          ...evidence,
          id: createId(),
          themeId: silent,
          source: 'response',
          responseId: ids[2] ?? '',
          question: 'ideas',
          publishedVersion: 1,
        },
      ])
      const decided = { ...own, reason: { en: 'Many asked.' }, decidedOn: '2026-05-10', outcome: 'taken_up' as const }
      await tx.insert(decisions).values([
        {
          ...decided,
          id: decision,
          number: 1,
          title: { en: 'Twelve benches' },
          delivery: 'under_way',
          dueOn: '2026-05-01',
          publishedAt: NOW,
        },
        { ...decided, id: draft, number: 2, title: { en: 'New lamps' } },
      ])
      await tx.insert(decisionThemes).values([
        { ...own, decisionId: decision, themeId: theme },
        { ...own, decisionId: draft, themeId: silent },
      ])
    })
    const project = await as().db.read((tx) =>
      tx.execute<{ slug: string }>(sql`select slug from projects where site_id = ${site.id} and id = ${projectId}`),
    )
    const outcome = {
      title: { text: 'Twelve benches' },
      words: 'Taken up · Under way, 1 May 2026 · Late',
      href: `/projects/${project.rows[0]?.slug}/decisions#decision-1`,
    }
    const { questions } = await getResults(as(), survey.id)
    expect(questions.filter(({ outcomes }) => outcomes).map(({ question, outcomes }) => [question.id, outcomes])).toEqual([
      ['ideas', [outcome]],
    ])
    const shown = await getPublicResults(createCtx(runtime, site), { project: project.rows[0]?.slug ?? '', survey: survey.slug })
    expect(shown.figures?.questions.find(({ question }) => question.id === 'ideas')?.outcomes).toEqual([outcome])
    expect((await getActivityResults(as(), activity.id)).outcomes).toEqual([outcome])
    const view = await showReport(as(), { projects: [projectId], from: '2026-01-01', until: '2026-05-15' })
    expect(textsOf(tablesOf(view, 'said').at(-1))).toEqual([['Your ideas', 'Twelve benches', outcome.words]])
    expect(textsOf(tablesOf(view, 'contributions').at(-1))).toEqual([['Ideas for the park', 'Twelve benches', outcome.words]])
  })
})

describe('what was read most', () => {
  test('counts the people who opened an update or a document in these days, from the kept days', async () => {
    const project = await addProject(runtime, site)
    const other = await addProject(runtime, site)
    const news = await addUpdate(runtime, site, project.id, { slug: 'news', title: { en: 'News' } })
    const late = await addUpdate(runtime, site, project.id, { slug: 'late', title: { en: 'Later news' } })
    await addUpdate(runtime, site, project.id, { slug: 'unread', title: { en: 'Unread' } })
    const elsewhere = await addUpdate(runtime, site, other.id, { slug: 'elsewhere', title: { en: 'Elsewhere' } })
    const plan = createId()
    await as().db.tx(async (tx) => {
      await tx.insert(projectDocuments).values({
        siteId: site.id,
        id: plan,
        projectId: project.id,
        title: { en: 'The plan' },
        file: '/files/plan.pdf',
        mediaType: 'application/pdf',
        bytes: 1000,
      })
      const day = (kind: string, placeId: string, on: string, aware: number, language: 'en' | 'fr-CA' = 'en') => ({
        siteId: site.id,
        kind,
        placeId,
        day: on,
        saltId: createId(),
        language,
        source: 'direct',
        campaign: '',
        aware,
        informed: aware,
      })
      await tx
        .insert(reachDays)
        .values([
          day('update', news.id, '2026-05-02', 7),
          day('update', news.id, '2026-05-03', 4, 'fr-CA'),
          day('update', news.id, '2026-04-30', 50),
          day('update', late.id, '2026-05-15', 20),
          day('update', elsewhere.id, '2026-05-02', 90),
          day('document', plan, '2026-05-04', 3),
        ])
    })
    const search = { projects: [project.id], from: '2026-05-01', until: '2026-05-15', sections: ['read' as const] }
    const view = await showReport(as(), search)
    expect(tablesOf(view, 'read').map(textsOf)).toEqual([
      [
        ['Later news', 'A faster bus', '20'],
        ['News', 'A faster bus', '11'],
      ],
      [['The plan', 'A faster bus', '3']],
    ])
    expect(view.parts[0]?.figures).toEqual(['readers'])
    expect(tablesOf(view, 'read')[0]?.rows[0]?.[0]?.href).toMatch(/\/updates\/late$/)
    expect((await showReport(as(), { ...search, until: '2026-05-01' })).parts).toEqual([])
  })
})

describe('groups that were heard less', () => {
  test('are those with less than half their share of the population, as both shares, without a grade', async () => {
    const project = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const question = await addCensus(as(), 'tenure', { own: 400, rent: 500, lodge: 100 })
    for (const [option, people] of [
      ['own', 30],
      ['rent', 10],
      ['lodge', 10],
    ] as const)
      for (let count = 0; count < people; count++) {
        const viewer = await addPerson(runtime, site)
        const ctx = createCtx(runtime, site, { viewer })
        await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), {
          id: createId(),
          sendKey: 'k'.repeat(22),
          answers: { name: 'Elm' },
        })
        await sayAboutPerson(as(), question, viewer.id, option)
      }
    const view = await showReport(as(), { projects: [project.id], sections: ['unheard'] })
    // 10 of 50 who said is 20 %, against 50 %; lodgers are 20 % against 10 %.
    expect(tablesOf(view, 'unheard').map(textsOf)).toEqual([[['rent', 'Their tenure', '20%', '50%']]])
    const { parts } = await showReport(as('fr-CA'), { projects: [project.id], sections: ['unheard'] })
    expect(parts.map(({ heading }) => heading)).toEqual(['Groupes moins entendus'])
  })
})
