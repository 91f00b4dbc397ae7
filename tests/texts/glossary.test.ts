import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEMO_SITES } from '#app/cli/demo/content/sites.ts'
import { INTEGRATIONS } from '#app/features/marketplace/integrations/registry.server.ts'
import { getTemplate } from '#app/features/projects/templates/templates.ts'
import { SURVEY_TEMPLATES } from '#app/features/surveys/templates/templates.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { NAMESPACES } from '#app/lib/namespaces.ts'
import { PROJECT_TEMPLATES } from '#app/lib/vocabulary/projects.ts'
import { TEXTS } from '#app/server/i18n.ts'
import { ROOT } from '#tests/support/product.ts'

/** Texts that keep a word of the last column, by language, namespace and key, each with the reason. Better to have none. */
const EXCEPTIONS: Record<string, string> = {
  'en.city-admin.kinds.arcgis-hub': 'The name of a product of another company',
  'fr-CA.city-admin.kinds.arcgis-hub': 'The name of a product of another company',
  'cy.city-admin.kinds.arcgis-hub': 'The name of a product of another company',
  'en.identity-admin.presets.gov-uk-one-login': 'The name of a service',
  'en.integrations.sms-gov-notify.settings.entries.apiKey.pipe.1.metadata.label': 'What GOV.UK Notify calls it',
}

interface Term {
  term: string
  'fr-CA': string
  cy: string
  forbidden: Record<Language, string[]>
}

/** The rows of the glossary's table. @throws where a row has other columns, or forbids words of no language */
function readGlossary(): Term[] {
  const rows = readFileSync(join(ROOT, 'app/lib/glossary.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
  return rows.map((row) => {
    const cells = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const [term = '', meaning = '', french = '', welsh = '', not = ''] = cells
    if (cells.length !== 5 || !term || !meaning || !french || !welsh) throw new Error(`A row of the glossary is not complete: ${row}`)
    const forbidden = Object.fromEntries(LANGUAGES.map((language) => [language, [] as string[]])) as Term['forbidden']
    for (const part of not.split(';').filter((text) => text.trim())) {
      const [, code, words = ''] = /^\s*([\w-]+):(.+)$/.exec(part) ?? []
      const language = LANGUAGES.find((one) => one === code)
      if (!language) throw new Error(`No language before “${part.trim()}” in the glossary`)
      forbidden[language].push(...words.split(',').map((word) => word.trim()))
    }
    return { term, 'fr-CA': french, cy: welsh, forbidden }
  })
}

const GLOSSARY = readGlossary()
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
/** One expression for all forbidden words of a language, each between the ends of words in any alphabet. */
const FORBIDDEN = Object.fromEntries(
  LANGUAGES.map((language) => {
    const words = GLOSSARY.flatMap(({ forbidden }) => forbidden[language]).map(escape)
    return [language, new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.join('|') || '(?!)'})(?![\p{L}\p{N}])`, 'giu')]
  }),
) as Record<Language, RegExp>

/** The forbidden words of a text; the names of values put into it do not count, and a no-break space is a space. */
const findForbidden = (language: Language, text: string) =>
  text
    .replaceAll(/{{[^}]*}}/g, '·')
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .match(FORBIDDEN[language]) ?? []

function textsOf(value: unknown, key: string): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]]
  return Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${key}.${name}`))
}

/** Texts that stand in code beside what they describe: objects with one text for each language, however deep. */
function textsInCode(value: unknown, language: Language, key: string, seen = new Set<unknown>()): [key: string, text: string][] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const names = Object.keys(value)
  if (names.length > 1 && names.every((name) => (LANGUAGES as readonly string[]).includes(name))) {
    const text = (value as Partial<Record<Language, string>>)[language]
    return text === undefined ? [] : [[key, text]]
  }
  return Object.entries(value).flatMap(([name, inner]) => textsInCode(inner, language, `${key}.${name}`, seen))
}

const allTexts = (language: Language) => [
  ...NAMESPACES.flatMap((namespace) => textsOf(TEXTS[language][namespace], `${language}.${namespace}`)),
  ...INTEGRATIONS.flatMap(({ manifest }) => textsInCode(manifest, language, `${language}.integrations.${manifest.id}`)),
  ...SURVEY_TEMPLATES.flatMap((template) => textsInCode(template, language, `${language}.templates.${template.id}`)),
  ...PROJECT_TEMPLATES.flatMap((id) => textsInCode(getTemplate(id), language, `${language}.project-templates.${id}`)),
]

test('the texts of integrations are among them', () => {
  expect(allTexts('en').filter(([key]) => key.startsWith('en.integrations.webhooks.')).length).toBeGreaterThan(10)
})

test('the texts of templates are among them', () => {
  for (const kind of ['templates', 'project-templates'])
    expect(allTexts('fr-CA').filter(([key]) => key.startsWith(`fr-CA.${kind}.budget.`)).length).toBeGreaterThan(10)
})

test.each(DEMO_SITES)('$name calls what people walk on a sidewalk or a pavement, not both', (site) => {
  const words = JSON.stringify(site).match(/\b(?:sidewalk|pavement)(?=s?\b)/gi) ?? []
  expect(new Set(words.map((word) => word.toLowerCase())).size).toBeLessThanOrEqual(1)
})

test('the glossary has enough terms to be of use, each once', () => {
  expect(GLOSSARY.length).toBeGreaterThanOrEqual(60)
  expect(new Set(GLOSSARY.map(({ term }) => term)).size).toBe(GLOSSARY.length)
})

test.each(LANGUAGES)('no text uses a word that the glossary forbids, in %s', (language) => {
  const found = allTexts(language).flatMap(([key, text]) =>
    EXCEPTIONS[key] ? [] : findForbidden(language, text).map((word) => `${key}: “${word}” in “${text}”`),
  )
  expect(found).toEqual([])
})

test('every exception is still needed', () => {
  const needed = new Set(
    LANGUAGES.flatMap((language) => allTexts(language).filter(([, text]) => findForbidden(language, text).length > 0)).map(([key]) => key),
  )
  expect(Object.keys(EXCEPTIONS).filter((key) => !needed.has(key))).toEqual([])
})

test.each([
  ['en', 'Whoever has the link gets a Mail.', ['Whoever', 'Mail']],
  ['fr-CA', 'L’ébauche est envoyée par e-mail.', ['ébauche', 'e-mail']],
  ['cy', 'Anfonwyd ebost at bwy bynnag a’r trywydd archwilio.', ['ebost', 'trywydd archwilio']],
] as const)('a planted word is found, in %s', (language, text, words) => {
  expect(findForbidden(language, text)).toEqual(words)
})

test('parts of words and names of values are not found', () => {
  expect(findForbidden('en', '{{mail}} is blackmail, and email is doubled.')).toEqual([])
})
