import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { previewPopulation } from './preview-population.server.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'census', languages: ['en', 'fr-CA'] })
  other = await addSite(runtime, { slug: 'elsewhere', languages: ['en'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person, on = site) => createApiClient(runtime, on, person?.token)
const ctxOf = (person: Person): Promise<Ctx> => withViewer(createCtx(runtime, site), person.token)
const both = (text: string) => ({ en: text, 'fr-CA': text })
const TABLE = { source: 'Statistics Canada, 2021 Census, table 98-10-0001', year: 2021, licence: 'Statistics Canada Open Licence' }
const CELLS = [
  { category: 'English', option: 'en', area: null, people: 600 },
  { category: 'French', option: 'fr', area: null, people: 300 },
  { category: 'Punjabi', option: 'other', area: null, people: 60 },
  { category: 'Cree', option: 'other', area: null, people: 40 },
]

async function addQuestion(attributes: Record<string, unknown> = {}): Promise<string> {
  const created = await api(admin).post(
    '/profile-questions',
    buildResourceDocument('profile-questions', {
      key: `q${createId().slice(-12)}`,
      kind: 'one-choice',
      labelTranslations: { en: 'First language', 'fr-CA': 'Langue maternelle' },
      purposeTranslations: both('To see whom we hear.'),
      options: [
        { id: 'en', label: { en: 'English', 'fr-CA': 'Anglais' } },
        { id: 'fr', label: { en: 'French', 'fr-CA': 'Français' } },
        { id: 'other', label: { en: 'Other', 'fr-CA': 'Autre' } },
      ],
      askedAt: 'sign-up',
      retentionMonths: 24,
      status: 'live',
      ...attributes,
    }),
  )
  return (created.body?.data as { id: string } | undefined)?.id ?? ''
}
interface Found {
  id: string
  attributes: { cells: unknown[]; source: string; options: { id: string }[]; label: string }
  meta: { lockVersion: number; can: { update: boolean } }
}
const read = async (id: string, person = admin) => (await api(person).get(`/reference-populations/${id}`)).body?.data as Found | undefined
const store = (id: string, attributes: Record<string, unknown>, { person = admin, lockVersion = 1 } = {}) =>
  api(person).patch(`/reference-populations/${id}`, buildResourceDocument('reference-populations', attributes, { id, lockVersion }))
const faultsOf = ({ body }: ApiAnswer) => body?.errors?.map(({ code, source }) => `${code} ${source?.pointer}`) ?? []

describe('reference populations', () => {
  test('are stored whole for a question, and replaced whole', async () => {
    const id = await addQuestion()
    expect((await read(id))?.attributes).toMatchObject({ cells: [], source: '', year: null })
    expect((await store(id, { ...TABLE, cells: CELLS })).status).toBe(200)
    expect((await read(id))?.attributes).toMatchObject({ ...TABLE, cells: CELLS, label: 'First language' })
    const replaced = await store(id, { cells: CELLS.slice(0, 2) }, { lockVersion: 2 })
    expect([replaced.status, (await read(id))?.attributes.cells]).toEqual([200, CELLS.slice(0, 2)])
    expect((await store(id, { cells: [] }, { lockVersion: 3 })).status).toBe(200)
    expect((await read(id))?.attributes).toMatchObject({ cells: [], source: '' })
  })

  test('name every row that is negative, there twice or mapped to nothing, and then store nothing', async () => {
    const id = await addQuestion()
    const negative = await store(id, { ...TABLE, cells: [CELLS[0], { ...CELLS[1], people: -1 }] })
    expect([negative.status, faultsOf(negative)]).toEqual([422, ['out-of-range /data/attributes/cells/1/people']])
    const wrong = await store(id, {
      ...TABLE,
      cells: [CELLS[0], CELLS[0], { ...CELLS[2], option: 'klingon' }, { ...CELLS[3], area: 'nowhere' }],
    })
    expect([wrong.status, faultsOf(wrong)]).toEqual([
      422,
      [
        'row-twice /data/attributes/cells/1/category',
        'not-a-choice /data/attributes/cells/2/option',
        'not-a-choice /data/attributes/cells/3/area',
      ],
    ])
    expect((await read(id))?.attributes.cells).toEqual([])
  })

  test('say where they are from', async () => {
    const id = await addQuestion()
    expect(faultsOf(await store(id, { cells: CELLS }))).toEqual([
      'required /data/attributes/source',
      'required /data/attributes/year',
      'required /data/attributes/licence',
    ])
  })

  test('are only for questions with one answer, and without the option not to say', async () => {
    const several = await addQuestion({ kind: 'several-choices' })
    expect(await read(several)).toBeUndefined()
    const sensitive = await addQuestion({ sensitive: true })
    expect((await read(sensitive))?.attributes.options.map(({ id }) => id)).toEqual(['en', 'fr', 'other'])
    const born = await addQuestion({ kind: 'year-of-birth', options: [] })
    expect((await read(born))?.attributes.options.map(({ id }) => id)).toContain('65-74')
  })

  test('are changed by one site administrator at a time, read by people who see answers, and are of one site', async () => {
    const id = await addQuestion()
    const { id: projectId } = await addProject(runtime, site)
    const editor = await addPerson(runtime, site, { role: 'project_admin', projectId })
    const resident = await addPerson(runtime, site)
    const elsewhere = await addPerson(runtime, other, { role: 'site_admin' })
    expect((await store(id, { ...TABLE, cells: CELLS })).status).toBe(200)
    expect((await store(id, { ...TABLE, cells: CELLS })).codes).toEqual(['stale'])
    expect((await store(id, { cells: [] }, { person: editor, lockVersion: 2 })).status).toBe(403)
    expect((await read(id, editor))?.meta.can.update).toBe(false)
    expect(await read(id, resident)).toBeUndefined()
    expect((await api(elsewhere, other).get(`/reference-populations/${id}`)).status).toBe(404)
  })
})

describe('a census table', () => {
  const preview = async (id: string, text: string) => previewPopulation(await ctxOf(admin), { population: id, text })

  test('is read in any language, with thousands apart, and mapped by the names of options', async () => {
    const id = await addQuestion()
    const { rows, others } = await preview(id, '\uFEFFCatégorie;Effectif\nAnglais;600\nfrançais;12 300\nPendjabi;60\n')
    expect(rows).toEqual([
      { line: 2, category: 'Anglais', option: 'en', area: null, people: 600, fault: null },
      { line: 3, category: 'français', option: 'fr', area: null, people: 12300, fault: null },
      { line: 4, category: 'Pendjabi', option: null, area: null, people: 60, fault: 'not-a-choice' },
    ])
    expect(others).toBe(0)
  })

  test('reports every row that is wrong', async () => {
    const id = await addQuestion()
    const { rows } = await preview(id, 'category,count,area\nEnglish,-5,\nFrench,many,\nOther,7,Atlantis\nOther,1,\nother,2,\n,3,\n')
    expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
      [2, 'out-of-range'],
      [3, 'not-a-number'],
      [4, 'area-unknown'],
      [5, 'row-twice'],
      [6, 'row-twice'],
      [7, 'required'],
    ])
  })

  test('may have commas in the names of categories where semicolons separate them', async () => {
    const id = await addQuestion()
    const { rows } = await preview(id, 'category;count\nEnglish, or mostly English;1,200\n')
    expect(rows).toMatchObject([{ category: 'English, or mostly English', people: 1200, fault: 'not-a-choice' }])
  })

  test('may have several dimensions, of which only the question’s own are read', async () => {
    const id = await addQuestion()
    const { rows, others } = await preview(id, 'dimension,category,count\nFirst language,English,5\nAge,16 to 24,9\n')
    expect([rows.length, others]).toEqual([1, 1])
  })

  test('is refused without its columns', async () => {
    const id = await addQuestion()
    await expect(preview(id, 'colour,size\nred,5\n')).rejects.toMatchObject({ faults: [{ code: 'column-missing', pointer: '/category' }] })
  })
})
