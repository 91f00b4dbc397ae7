import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiResources } from '#app/root/api-resources.ts'
import { ADMIN_FIGURES, type Figure, PUBLIC_FIGURES } from '#app/lib/figure-definitions.ts'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { getOpenApi } from '#app/server/api/openapi.ts'
import { TEXTS } from '#app/server/i18n.ts'
import { ROOT } from '#tests/support/product.ts'

const FIGURES = { ...PUBLIC_FIGURES, ...ADMIN_FIGURES }
const SOURCES = globSync('app/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$|figure-definitions\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

type FigureTexts = Record<string, { name: string; means: string }>
const readTexts = (language: Language): FigureTexts =>
  ['common', 'admin'].reduce<FigureTexts>(
    (found, namespace) => ({ ...found, ...(TEXTS[language][namespace as 'common'] as { figures: FigureTexts }).figures }),
    {},
  )

/** API attributes that are one of the figures, whatever resource has them. */
const FIGURE_ATTRIBUTES = ['participants', 'openProjects', 'aware', 'informed', 'engaged', 'medianSeconds']

describe('figures', () => {
  it.each(LANGUAGES)('say in %s what they count, in one sentence of their own', (language) => {
    const texts = readTexts(language)
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(FIGURES).toSorted())
    for (const { name, means } of Object.values(texts)) {
      expect(name.length).toBeGreaterThan(0)
      expect(means).toMatch(/^[^.]+\.?$/)
    }
    expect(new Set(Object.values(texts).map(({ means }) => means)).size).toBe(Object.keys(FIGURES).length)
  })

  it('name the code that counts them', () => {
    expect(Object.values(FIGURES).filter(({ countedBy }) => !existsSync(join(ROOT, 'app', countedBy)))).toEqual([])
  })

  it.each(Object.keys(FIGURES))('%s is shown somewhere', (figure) => {
    expect(SOURCES.some(({ text }) => new RegExp(`['".]${figure}\\b`).test(text))).toBe(true)
  })

  it('are on cards of administrators only with their definition', () => {
    const users = SOURCES.filter(({ text }) => text.includes('ui/admin/stat-card.tsx')).map(({ path }) => path)
    expect(users).toEqual(['app/shell/admin/figure-card.tsx'])
  })

  it('describe the attributes of the API that give them', () => {
    const undefinedOnes = apiResources.resources.flatMap(({ shape }) =>
      Object.entries(shape.attributes)
        .filter(([name, declared]) => FIGURE_ATTRIBUTES.includes(name) && !('figure' in declared && declared.figure))
        .map(([name]) => `${shape.type}.${name}`),
    )
    expect(undefinedOnes).toEqual([])
    const { schemas } = getOpenApi(apiResources)['components'] as { schemas: Record<string, { properties: Record<string, object> }> }
    expect(schemas['site-figures.attributes']?.properties['engaged']).toMatchObject({ description: readTexts('en')['engaged']?.means })
    expect(JSON.stringify(schemas['survey-results.attributes']?.properties['questions'])).toContain('Null if it is not shown')
  })
})

it('an answer, a contribution and a reply all count as taking part', () => {
  const sentences = LANGUAGES.map((language) => readTexts(language)['engaged' satisfies Figure]?.means)
  expect(sentences).toEqual([
    expect.stringMatching(/survey.*contributed.*replied/),
    expect.stringMatching(/sondage.*contribué.*commenté/),
    expect.stringMatching(/arolwg.*cyfrannu.*sylw/),
  ])
})
