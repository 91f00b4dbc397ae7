import { describe, expect, test } from 'vitest'
import { getTemplate } from '#app/features/projects/templates/templates.ts'
import { SURVEY_TEMPLATES } from '#app/features/surveys/templates/templates.ts'
import { getFormatter } from '#app/lib/format.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import type { Namespace } from '#app/lib/namespaces.ts'
import { PROJECT_TEMPLATES } from '#app/lib/vocabulary/projects.ts'
import { createServerI18n, TEXTS } from '#app/server/i18n.ts'
import { createBrowserI18n } from '#app/shell/i18n-browser.ts'

const time = getFormatter({ language: 'en', timeZone: 'America/Toronto', region: 'Canada' }).time('2026-12-15T03:30:00Z')

/** Keys of texts in which a value may end a sentence. */
function endings(texts: object, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    if (typeof text === 'object' && text !== null) return endings(text, `${path}${key}.`)
    return typeof text === 'string' && /\}\}\./.test(text) ? [`${path}${key}`] : []
  })
}

test('a Canadian time ends in its own full stop', () => {
  expect(time).toBe('10:30\u00a0p.m.')
})

describe.each(LANGUAGES)('a sentence that ends with a time has a single full stop in %s', (language) => {
  test.each(['server', 'browser'])('in texts of the %s', (side) => {
    const i18n = side === 'server' ? createServerI18n(language) : createBrowserI18n(language)
    const texts = TEXTS[language]
    const found: string[] = []
    for (const namespace of Object.keys(texts) as Namespace[]) {
      i18n.addResourceBundle(language, namespace, texts[namespace])
      for (const key of endings(texts[namespace])) {
        const names = Object.fromEntries(
          Array.from((i18n.getResource(language, namespace, key) as string).matchAll(/\{\{(\w+)/g), ([, name]) => [name ?? '', time]),
        )
        found.push(i18n.getFixedT(language, namespace)(key as never, names))
      }
    }
    expect(found.filter((text) => text.includes('p.m.')).length).toBeGreaterThan(10)
    expect(found.filter((text) => text.includes('p.m..'))).toEqual([])
  })
})

/** Every text below, by its key. */
function listTexts(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]): [string, string][] => {
    if (typeof text === 'object' && text !== null) return listTexts(text, `${path}${key}.`)
    return typeof text === 'string' ? [[`${path}${key}`, text]] : []
  })
}

test('no line of French begins with a colon or ends with an opening quotation mark', () => {
  // Text messages have no such space: it would halve what fits into one.
  const { sms: _, ...shown } = TEXTS['fr-CA']
  const inTemplates = listTexts(PROJECT_TEMPLATES.map(getTemplate)).filter(([key]) => key.endsWith('.fr-CA'))
  const texts = [...listTexts(shown), ...inTemplates]
  expect(texts.filter(([, text]) => text.includes('«\u00a0')).length).toBeGreaterThan(50)
  expect(texts.filter(([, text]) => /« | »|\S :(?!\S)/.test(text))).toEqual([])
})

test('no line of French begins with a per cent sign', () => {
  const texts = [...listTexts(TEXTS['fr-CA']), ...listTexts(SURVEY_TEMPLATES), ...listTexts(PROJECT_TEMPLATES.map(getTemplate))]
  expect(texts.filter(([, text]) => /[\d}]\u00a0%/.test(text)).length).toBeGreaterThan(1)
  expect(texts.filter(([key, text]) => !key.endsWith('.cy') && /[\d}] %/.test(text))).toEqual([])
})

test('Canadian French has no space before a question mark or an exclamation mark', () => {
  const texts = listTexts(TEXTS['fr-CA'])
  expect(texts.filter(([, text]) => text.includes('?')).length).toBeGreaterThan(50)
  expect(texts.filter(([, text]) => /\s[?!](?!\w)/.test(text))).toEqual([])
})
