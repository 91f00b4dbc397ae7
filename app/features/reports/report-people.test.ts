import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { comparePeople } from '#app/features/heard-reports/compare-people.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { countPublicFigures } from '#app/features/surveys/surveys.public-figures.server.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addCensus, sayAboutPerson } from '#tests/factories/census.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { showReport } from './report-files.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Ctx
let project: { id: string }
let survey: { id: string }

const LIVES = { own: 600, rent: 300, other: 100 }
const OWN_DEFINITION = {
  schema: 1 as const,
  pages: [
    {
      id: 'p',
      questions: [
        {
          id: 'lives',
          type: 'one_choice' as const,
          title: inAllLanguages('How do you live?'),
          options: [...Object.keys(LIVES), 'no-answer'].map((id) => ({ id, label: inAllLanguages(id) })),
          profile: 'home',
        },
      ],
    },
  ],
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  project = await addProject(runtime, site)
  survey = await addSurvey(runtime, site, { projectId: project.id, definition: OWN_DEFINITION })
  const question = await addCensus(admin, 'home', LIVES)
  // 20 own, 10 rent, 5 prefer not to say, and 5 said nothing.
  for (const [option, people] of [
    ['own', 20],
    ['rent', 10],
    ['no-answer', 5],
    ['', 5],
  ] as const)
    for (let count = 0; count < people; count++) {
      const viewer = await addPerson(runtime, site)
      const ctx = createCtx(runtime, site, { viewer })
      const answers: Answers = option ? { lives: { choice: option } } : {}
      await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), {
        id: v7(),
        sendKey: 'k'.repeat(22),
        answers,
      })
      if (option) await sayAboutPerson(admin, question, viewer.id, option)
    }
})

const EXPECTED = [
  ['own', '20', '67%', '600', '60%', '1.11'],
  ['rent', '10', '33%', '300', '30%', '1.11'],
  ['other', '0', '0%', '100', '10%', '0'],
]
const NOTHING = ['–', '–', '–', '–']

describe('who took part against who lives here', () => {
  test('is a section of the report, with everybody in it and never an index alone', async () => {
    const view = await showReport(admin, { projects: [project.id], sections: ['people'] })
    const part = view.parts.find(({ id }) => id === 'people')
    const [table, ...notes] = part?.blocks ?? []
    if (table?.kind !== 'table') throw new Error('There is no table')
    expect(table.rows.map((cells) => cells.map(({ text }) => text))).toEqual([
      ...EXPECTED,
      ['no-answer', '5', ...NOTHING],
      ['Said nothing about this', '5', ...NOTHING],
    ])
    const said = notes.map((block) => ('text' in block ? block.text : '')).join('\n')
    expect(said).toContain('Sum of the smaller shares: 90%')
    expect(said).toContain('Census table 7, 2021 (Open Government Licence)')
    expect(said).toContain('this is no random sample')
    expect(said).not.toMatch(/±|confidence/)
  })

  test('is said in each language', async () => {
    for (const [language, heading] of [
      ['fr-CA', 'Qui a participé et qui vit ici'],
      ['cy', 'Pwy gymerodd ran, a phwy sy’n byw yma'],
    ] as const satisfies readonly (readonly [Language, string])[]) {
      const { parts } = await showReport({ ...admin, language }, { projects: [project.id], sections: ['people'] })
      expect(parts.map((part) => part.heading)).toEqual([heading])
    }
  })

  test('is in what was heard, with the numbers of the survey’s own publication', async () => {
    const content = await admin.db.tx(async (tx) => {
      await countPublicFigures(admin, tx, project.id)
      return comparePeople(admin, tx, project.id)
    })
    const [table, ...notes] = content
    if (table?.kind !== 'table') throw new Error('There is no table')
    expect(table.rows.map((cells) => cells.map(({ text }) => text)).slice(0, 2)).toEqual(EXPECTED.slice(0, 2))
    expect(table.rows.at(-1)?.[0]?.text).toBe('Said nothing about this')
    expect(notes.some((note) => note.kind === 'text' && note.text.includes('this is no random sample'))).toBe(true)
  })

  test('is left out where nobody can be compared', async () => {
    const empty = await addProject(runtime, site)
    const { parts } = await showReport(admin, { projects: [empty.id], sections: ['people'] })
    expect(parts).toEqual([])
  })

  test('hides small numbers and those that would give them away', async () => {
    const small = await addProject(runtime, site)
    const asked = await addSurvey(runtime, site, { projectId: small.id, definition: OWN_DEFINITION })
    const question = await addCensus(admin, 'second', LIVES)
    for (const [option, people] of [
      ['own', 20],
      ['rent', 7],
      ['other', 3],
    ] as const)
      for (let count = 0; count < people; count++) {
        const viewer = await addPerson(runtime, site)
        const ctx = createCtx(runtime, site, { viewer })
        await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, asked.id)), {
          id: v7(),
          sendKey: 'k'.repeat(22),
          answers: {},
        })
        await sayAboutPerson(admin, question, viewer.id, option)
      }
    const { parts } = await showReport(admin, { projects: [small.id], sections: ['people'] })
    const table = parts[0]?.blocks.find((block) => block.kind === 'table' && block.caption.includes('second'))
    if (table?.kind !== 'table') throw new Error('There is no table')
    expect(table.rows.map((cells) => cells.map(({ text }) => text).slice(0, 3))).toEqual([
      ['own', '20', '67%'],
      ['rent', 'not shown', 'not shown'],
      ['other', 'not shown', 'not shown'],
      ['no-answer', '0', '–'],
      ['Said nothing about this', '0', '–'],
    ])
  })
})
