import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateActivity } from '#app/features/contributions/managing/activities.editing.server.ts'
import { requireVisibleActivity } from '#app/features/contributions/record/activities.policy.server.ts'
import { loadStatuses, updateStatus } from '#app/features/contributions/managing/contribution-statuses.server.ts'
import { createRule, loadRules, updateRule } from '#app/features/contributions/moderation/rules.server.ts'
import { loadOptions, updateOption } from '#app/features/budgets/managing/budget-options.server.ts'
import { loadRoundPots, updatePot } from '#app/features/budgets/managing/budget-pots.server.ts'
import { deleteRound, updateRound } from '#app/features/budgets/managing/budget-rounds.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { budgetOptions, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { moderationRules } from '#app/server/db/schema/moderation.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { projectDocuments } from '#app/server/db/schema/projects.ts'
import { staleTranslations } from '#app/server/db/schema/translations.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readDesk, saveTranslation } from './desk.server.ts'
import { importTranslations, serveTextsWorkbook, serveTextsXliff } from './exchange.server.ts'
import { readTranslations } from './read-translations.server.ts'
import { type DeskText, TEXT_STATES, type TextKind } from './translations.schema.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (viewer = admin, of = site): Ctx => createCtx(runtime, of, { viewer })
const inSite = <T>(work: Parameters<Ctx['db']['tx']>[0], of = site) => runtime.database.site(of.id).tx(work) as Promise<T>
const list = async (q: string, ctx = as(), to: 'cy' | 'en' = 'cy'): Promise<DeskText[]> => {
  const found = await Promise.all(TEXT_STATES.map((state) => readDesk(ctx, { to, q, state })))
  return found.flatMap(({ texts }) => texts)
}
async function findText(q: string, ctx = as(), to: 'cy' | 'en' = 'cy'): Promise<DeskText> {
  const text = (await list(q, ctx, to)).find(({ source, translation }) => [source, translation].includes(q))
  if (!text) throw new Error(`The desk does not list ${q}`)
  return text
}
const write = (text: DeskText, translation: string, ctx = as()) =>
  saveTranslation(ctx, text.id, { language: text.to, source: text.source, was: text.translation, translation })
const addDocument = (projectId: string, title: string) =>
  inSite((tx) =>
    tx.insert(projectDocuments).values({
      siteId: site.id,
      id: createId(),
      projectId,
      title: { en: title, 'fr-CA': `${title} fr` },
      file: '/media/documents/x.pdf',
      mediaType: 'application/pdf',
      bytes: 1,
    }),
  )
const half = (text: string) => ({ en: text, 'fr-CA': `${text} fr` })

interface Added {
  /** What its text says in English; it has no Welsh. */
  text: string
  editor: string
  isPublic: boolean
  /** A role on the site that may not edit it; by default, an administrator of another project. */
  stranger?: { role: 'project_admin' | 'hub_admin'; projectId?: string }
}

/** Adds one of each kind, with its text in two of three languages. */
const ADD: Partial<Record<TextKind, () => Promise<Added>>> = {
  areas: async () => {
    const ids = await addAreas(runtime, site, [{ name: 'Quay ward', west: 0, south: 0, side: 1 }])
    await inSite((tx) =>
      tx
        .update(areas)
        .set({ names: half('Quay ward') })
        .where(eq(areas.id, ids['Quay ward'] ?? '')),
    )
    return { text: 'Quay ward', editor: '/admin/settings/areas', isPublic: true }
  },
  'project-documents': async () => {
    const { id } = await addProject(runtime, site)
    await addDocument(id, 'Flood report')
    return { text: 'Flood report', editor: `/admin/projects/${id}#documents`, isPublic: true }
  },
  'contribution-statuses': async () => {
    const activity = await addActivity(runtime, site, { status: 'draft' })
    await inSite((tx) =>
      tx
        .update(contributionStatuses)
        .set({ title: half('With the harbour') })
        .where(eq(contributionStatuses.id, activity.statuses[1]?.id ?? '')),
    )
    return { text: 'With the harbour', editor: `/admin/projects/${activity.projectId}/activities/${activity.id}`, isPublic: false }
  },
  'moderation-rules': async () => {
    const texts = { id: createId(), labelTranslations: inAllLanguages('Nets'), explanationTranslations: inAllLanguages('No nets here.') }
    const id = await createRule(as(), texts)
    await inSite((tx) =>
      tx
        .update(moderationRules)
        .set({ explanation: half('No nets at all.') })
        .where(eq(moderationRules.id, id)),
    )
    return { text: 'No nets at all.', editor: '/admin/moderation/rules', isPublic: true }
  },
  'budget-rounds': async () => {
    const { id } = await addProject(runtime, site)
    const round = await addRound(runtime, site, [{ amount: 100, costs: [] }], {
      projectId: id,
      status: 'draft',
      title: half('Harbour fund'),
    })
    return { text: 'Harbour fund', editor: `/admin/projects/${id}/budgets/${round.id}`, isPublic: false }
  },
  'budget-pots': async () => {
    const { id } = await addProject(runtime, site)
    const round = await addRound(runtime, site, [{ amount: 100, costs: [] }], { projectId: id, status: 'draft' })
    const [pot] = await loadRoundPots(as(), [round.pots[0]?.id ?? ''])
    if (!pot) throw new Error('No pot')
    await updatePot(as(), pot, { titleTranslations: half('Mooring pot') }, 1)
    return { text: 'Mooring pot', editor: `/admin/projects/${id}/budgets/${round.id}`, isPublic: false }
  },
  'budget-options': async () => {
    const { id } = await addProject(runtime, site)
    const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }], { projectId: id })
    const [option] = await loadOptions(as(), [round.options[0]?.id ?? ''])
    if (!option) throw new Error('No option')
    await updateOption(as(), option, { costNoteTranslations: half('With two buoys') }, 1)
    return { text: 'With two buoys', editor: `/admin/projects/${id}/budgets/${round.id}`, isPublic: true }
  },
}
const cases = Object.entries(ADD) as [TextKind, () => Promise<Added>][]

const download = async (serve: typeof serveTextsXliff, query: Record<string, string>): Promise<Uint8Array> => {
  const request = new Request(`https://site.example/admin/languages.file?${new URLSearchParams(query).toString()}`)
  const answer = await serve({ context: { ctx: as() } as Parameters<typeof serve>[0]['context'], request })
  return new Uint8Array(await answer.arrayBuffer())
}

test.each(cases)('%s are listed, written, exported, imported and found out of date, by those who may edit them', async (kind, add) => {
  const { text: said, editor, isPublic } = await add()
  const missing = await findText(said)
  expect(missing).toMatchObject({ kind, state: 'missing', source: said, translation: '', editor, isPublic })
  const own = await addProject(runtime, site)
  const other = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: own.id }] })
  expect(await list(said, as(other))).toEqual([])
  await expect(write(missing, 'Dim hawl', as(other))).rejects.toMatchObject({ code: 'not-found' })
  await write(missing, `Cymraeg ${kind}`)
  expect(await findText(`Cymraeg ${kind}`)).toMatchObject({ id: missing.id, state: 'done' })
  for (const [serve, translation] of [
    [serveTextsWorkbook, `Taflen ${kind}`],
    [serveTextsXliff, `Ffeil ${kind}`],
  ] as const) {
    const file = await readTranslations({ file: await download(serve, { to: 'cy', q: said }) })
    const texts = file.texts.filter(({ source }) => source === said).map((text) => ({ ...text, target: translation }))
    expect(texts).toHaveLength(1)
    expect((await importTranslations(as(other), { ...file, texts }, true)).counts).toMatchObject({ changes: 0, unknown: 1 })
    expect((await importTranslations(as(), { ...file, texts }, true)).counts).toMatchObject({ changes: 1, refused: 0 })
    expect((await findText(said)).translation).toBe(translation)
  }
  const source = await findText(said, as(), 'en')
  await write(source, `${said} anew`)
  expect(await findText(`${said} anew`)).toMatchObject({ state: 'stale', formerSource: said, translation: `Ffeil ${kind}` })
})

describe('a budget with ballots', () => {
  test('lists what may still change, and nothing that ballots rest on', async () => {
    const { id } = await addProject(runtime, site)
    const round = await addRound(runtime, site, [{ amount: 100, costs: [50, 60] }], { projectId: id, title: inAllLanguages('Weir fund') })
    const [first, second] = round.options.map((option) => option.id)
    await inSite(async (tx) => {
      const ofOption = (option = '') => eq(budgetOptions.id, option)
      await tx
        .update(budgetOptions)
        .set({ title: inAllLanguages('Weir gate'), text: { en: 'Steel' } })
        .where(ofOption(first))
      await tx
        .update(budgetOptions)
        .set({ deliveryNote: half('The weir is built') })
        .where(ofOption(first))
      await tx
        .update(budgetOptions)
        .set({ title: inAllLanguages('Weir ladder'), withdrawnAt: runtime.now() })
        .where(ofOption(second))
      await tx
        .update(budgetOptions)
        .set({ withdrawnReason: half('Weir fish need another') })
        .where(ofOption(second))
    })
    expect((await list('Weir')).map(({ kind, pointer, state }) => `${kind}${pointer} ${state}`).toSorted()).toEqual([
      'budget-options/deliveryNoteTranslations missing',
      'budget-options/textTranslations missing',
      'budget-options/titleTranslations done',
      'budget-options/titleTranslations done',
      'budget-options/withdrawnReasonTranslations missing',
      'budget-rounds/titleTranslations done',
    ])
    const before = await findText('Steel')
    await inSite((tx) => tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, round.id)))
    expect((await list('Weir')).map(({ kind, pointer }) => `${kind}${pointer}`).toSorted()).toEqual([
      'budget-options/deliveryNoteTranslations',
      'budget-options/withdrawnReasonTranslations',
      'budget-rounds/titleTranslations',
    ])
    expect((await list('')).filter(({ kind, project }) => kind === 'budget-pots' && project?.id === id)).toEqual([])
    await expect(write(before, 'Dur')).rejects.toMatchObject({ code: 'not-found' })
    for (const said of ['The weir is built', 'Weir fish need another']) {
      await write(await findText(said), `Cored: ${said}`)
      expect((await findText(said)).translation).toBe(`Cored: ${said}`)
    }
  })
})

describe('what is public and lacks languages that were added later', () => {
  let later: Site
  let boss: Viewer
  beforeAll(async () => {
    later = await addSite(runtime, { slug: 'later', languages: ['en'] })
    boss = await addPerson(runtime, later, { roles: [{ role: 'site_admin' }] })
  })
  const now = () => createCtx(runtime, { ...later, languages: ['en', 'cy', 'fr-CA'] }, { viewer: boss })
  const lost = { code: 'invalid', faults: [expect.objectContaining({ code: 'translation-missing' }) as unknown] }

  test('is translated one text after the other, and loses nothing', async () => {
    const before = createCtx(runtime, later, { viewer: boss })
    const english = (text: string) => ({ en: text })
    const ruleId = await createRule(before, {
      id: createId(),
      labelTranslations: english('Late rule'),
      explanationTranslations: english('Late words'),
    })
    const { id: projectId } = await addProject(runtime, later)
    const round = await addRound(runtime, later, [{ amount: 100, costs: [50] }], { projectId, title: english('Late fund') })
    const activity = await addActivity(runtime, later, { projectId, status: 'published' })
    const statusId = activity.statuses[0]?.id ?? ''
    await inSite(async (tx) => {
      await tx
        .update(budgetOptions)
        .set({ title: english('Late option') })
        .where(eq(budgetOptions.roundId, round.id))
      await tx
        .update(contributionStatuses)
        .set({ title: english('Late status') })
        .where(eq(contributionStatuses.id, statusId))
    }, later)
    const [pot] = await loadRoundPots(before, [round.pots[0]?.id ?? ''])
    if (!pot) throw new Error('No pot')
    await updatePot(before, pot, { titleTranslations: english('Late pot') }, 1)
    for (const said of ['Late rule', 'Late words', 'Late fund', 'Late pot', 'Late option', 'Late status']) {
      await write(await findText(said, now()), `Hwyr ${said}`, now())
      expect((await findText(said, now())).state).toBe('done')
    }
    const [rule] = await loadRules(now(), [ruleId])
    const [option] = await loadOptions(now(), [round.options[0]?.id ?? ''])
    const [moved] = await loadRoundPots(now(), [pot.id])
    const [status] = await loadStatuses(now(), [statusId])
    if (!rule || !option || !moved || !status) throw new Error('Not found')
    const title = { titleTranslations: english('Late') }
    const tries = [
      () => updateRule(now(), rule, { labelTranslations: english('Late') }, rule.lockVersion),
      () => updateRound(now(), round.id, title, 2),
      () => updatePot(now(), moved, title, moved.pot.lockVersion),
      () => updateOption(now(), option, title, option.option.lockVersion),
      () => updateStatus(now(), status, title, status.lockVersion),
    ]
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject(lost)
  })
})

test('areas that come from a dataset are changed there', async () => {
  const own = await addSite(runtime, { slug: 'datasets' })
  const boss = await addPerson(runtime, own, { roles: [{ role: 'site_admin' }] })
  await addAreas(runtime, own, [{ name: 'Sluice ward', west: 0, south: 0, side: 1 }])
  const text = await findText('Sluice ward', as(boss, own))
  await inSite((tx) => tx.update(cityDatasets).set({ boundaries: { name: 'name' } }), own)
  expect(await list('Sluice ward', as(boss, own))).toEqual([])
  await expect(write(text, 'Ward y llifddor', as(boss, own))).rejects.toMatchObject({ code: 'not-found' })
})

test('an activity is not published with a status that is out of date, unless one says so', async () => {
  const activity = await addActivity(runtime, site, { status: 'draft' })
  const [row] = await loadStatuses(as(), [activity.statuses[0]?.id ?? ''])
  if (!row) throw new Error('No status')
  await updateStatus(as(), row, { titleTranslations: { ...row.title, en: 'Lock keeper has it' } }, row.lockVersion)
  expect((await findText('Lock keeper has it')).state).toBe('stale')
  const publish = async (waived: string[]) => {
    const placed = await as().db.read((tx) => requireVisibleActivity(as(), tx, eq(activities.id, activity.id)))
    await updateActivity(as(), placed, { status: 'published', waived }, placed.activity.lockVersion)
  }
  await expect(publish([])).rejects.toMatchObject({
    faults: expect.arrayContaining([
      expect.objectContaining({ code: 'translation-stale', values: { language: 'cy', name: 'statuses.0.title.cy' } }),
    ]) as unknown,
  })
  await publish(['cy', 'fr-CA'].map((language) => `statuses.0.title.${language}`))
})

test('what is known of translations goes with what they belong to', async () => {
  const { id } = await addProject(runtime, site)
  const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }], { projectId: id, title: inAllLanguages('Old lock fund') })
  await updateRound(as(), round.id, { titleTranslations: { ...inAllLanguages('Old lock fund'), en: 'New lock fund' } }, 1)
  const [option] = await loadOptions(as(), [round.options[0]?.id ?? ''])
  if (!option) throw new Error('No option')
  await updateOption(as(), option, { titleTranslations: { ...option.option.title, en: 'New lock' } }, 1)
  const known = async () => {
    const rows = await inSite<{ id: string }[]>((tx) => tx.select({ id: staleTranslations.subjectId }).from(staleTranslations))
    return new Set(rows.map((row) => row.id).filter((one) => [round.id, option.id].includes(one)))
  }
  expect(await known()).toEqual(new Set([round.id, option.id]))
  await deleteRound(as(), { id: round.id })
  expect(await known()).toEqual(new Set())
})

test('5,000 texts of pages, budgets, statuses, documents and areas are a page of the desk in under 300 ms', async () => {
  const large = await addSite(runtime, { slug: 'desk-of-many' })
  const boss = await addPerson(runtime, large, { roles: [{ role: 'site_admin' }] })
  const title = (at: number) => ({ en: `Title ${at}`, ...(at % 3 ? { cy: `Teitl ${at}` } : {}) })
  const { id: projectId } = await addProject(runtime, large)
  await addAreas(
    runtime,
    large,
    Array.from({ length: 100 }, (_, at) => ({ name: `ward-${at}`, west: at, south: 0, side: 1 })),
  )
  for (let at = 0; at < 10; at += 1)
    await addRound(runtime, large, [{ amount: 1000, costs: Array<number>(100).fill(10) }], { projectId, title: title(at) })
  const activity = await addActivity(runtime, large, { projectId })
  await inSite(async (tx) => {
    await tx.update(budgetOptions).set({ text: title(1), costNote: title(2) })
    const common = { siteId: large.id, projectId, file: '/x.pdf', mediaType: 'application/pdf', bytes: 1 }
    for (let at = 0; at < 900; at += 300) {
      const numbers = Array.from({ length: 300 }, (_, more) => at + more)
      await tx.insert(projectDocuments).values(numbers.map((number) => ({ ...common, id: createId(), title: title(number) })))
      await tx.insert(pages).values(
        numbers.map((number) => ({
          siteId: large.id,
          id: createId(),
          slug: `page-${number}`,
          title: title(number),
          body: title(number),
        })),
      )
    }
    const [like] = await tx.select().from(activities).where(eq(activities.id, activity.id))
    if (!like) throw new Error('No activity')
    const ideas = Array.from({ length: 30 }, (_, at) => ({ ...like, id: createId(), slug: `ideas-${at}` }))
    await tx.insert(activities).values(ideas)
    await tx
      .insert(contributionStatuses)
      .values(
        ideas.flatMap(({ id }) =>
          Array.from({ length: 5 }, (_, at) => ({ siteId: large.id, id: createId(), activityId: id, title: title(at) })),
        ),
      )
  }, large)
  await runtime.database.pool.query('analyze')
  for (const search of [{}, { q: 'teitl 7' }, { kind: 'budget-options' as const }]) {
    const times: number[] = []
    let total = 0
    for (let time = 0; time < 5; time += 1) {
      const started = performance.now()
      const { counts } = await readDesk(as(boss, large), { to: 'cy', ...search })
      times.push(performance.now() - started)
      total = Object.values(counts).reduce((sum, one) => sum + one, 0)
    }
    if (!Object.keys(search).length) expect(total).toBeGreaterThan(5000)
    expect(Math.min(...times)).toBeLessThan(300)
  }
})
