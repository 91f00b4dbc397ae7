import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { NAMESPACES, type Namespace } from '#app/lib/namespaces.ts'
import { TEXTS } from '#app/server/i18n.ts'
import { ROOT } from '#tests/support/product.ts'

const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/
const CATEGORIES = Object.fromEntries(
  LANGUAGES.map((language) => [language, new Intl.PluralRules(language).resolvedOptions().pluralCategories]),
) as Record<Language, string[]>

/** Every text of a file, by key. */
function texts(language: Language, namespace: Namespace): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (value: unknown, key: string) => {
    if (typeof value === 'string') found.set(key, value)
    else for (const [name, inner] of Object.entries(value as object)) walk(inner, key ? `${key}.${name}` : name)
  }
  walk(TEXTS[language][namespace], '')
  return found
}

/** English keys without plural suffixes, each with whether it has any. */
function bases(keys: Iterable<string>): Map<string, boolean> {
  const found = new Map<string, boolean>()
  for (const key of keys) {
    const plural = PLURAL.exec(key)
    found.set(plural?.[1] ?? key, plural !== null || (found.get(plural?.[1] ?? key) ?? false))
  }
  return found
}

const expectedKeys = (language: Language, english: Map<string, string>) =>
  [...bases(english.keys())].flatMap(([base, plural]) =>
    plural ? [...CATEGORIES[language].map((category) => `${base}_${category}`), ...(english.has(base) ? [base] : [])] : [base],
  )

const variables = (text: string) => [...text.matchAll(/{{\s*-?\s*([\w.]+)[^}]*}}/g)].map(([, name]) => name ?? '').sort()
const tags = (text: string) => [...text.matchAll(/<\/?[\w]+>/g)].map(([tag]) => tag).sort()
const englishFor = (english: Map<string, string>, key: string) => english.get(key) ?? english.get(key.replace(PLURAL, '$1_other')) ?? ''

describe.each(NAMESPACES)('texts of %s', (namespace) => {
  const english = texts('en', namespace)

  it.each(LANGUAGES)('are complete in %s, with the plural forms of the language', (language) => {
    expect([...texts(language, namespace).keys()].sort()).toEqual(expectedKeys(language, english).sort())
  })

  it.each(LANGUAGES)('are never empty or padded in %s', (language) => {
    const faulty = [...texts(language, namespace)].filter(([, text]) => text.trim() === '' || text.trim() !== text)
    expect(faulty).toEqual([])
  })

  it.each(LANGUAGES)('use the same values and markup as English in %s', (language) => {
    const faulty: string[] = []
    for (const [key, text] of texts(language, namespace)) {
      const source = englishFor(english, key)
      // "No answers" may leave out everything and "one answer" its number; nothing else may be left out, and nothing added.
      const mayLack = (name: string) => key.endsWith('_zero') || (PLURAL.test(key) && ['count', 'number'].includes(name))
      const added = variables(text).filter((name) => !variables(source).includes(name))
      const lacking = variables(source).filter((name) => !variables(text).includes(name) && !mayLack(name))
      if (added.length || lacking.length || tags(text).join() !== tags(source).join()) faulty.push(`${key}: ${text}`)
    }
    expect(faulty).toEqual([])
  })

  it.each(['fr-CA', 'cy'] as const)('are translated into %s rather than left in English', (language) => {
    const left = [...texts(language, namespace)].filter(([key, text]) => text.split(/\s+/).length > 3 && text === englishFor(english, key))
    expect(left).toEqual([])
  })

  it('are all used', () => {
    expect([...bases(english.keys()).keys()].filter((key) => !isUsed(namespace, key))).toEqual([])
  })
})

const sources = readdirSync(join(ROOT, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join(ROOT, 'app', file), 'utf8'))
  .join('\n')
const literals = new Set([...sources.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text]) => text ?? ''))
const templates = [...new Set([...sources.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].map(([, text]) => text ?? ''))]
  .filter((text) => /^[\w.:-]*(\$\{[^}]*\}[\w.:-]*)+$/.test(text) && /[a-z]/.test(text.replaceAll(/\$\{[^}]*\}/g, '')))
  .map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`))

/** True if the source contains the key, or a template that can produce it. A context may be the last part after an underscore. */
function isUsed(namespace: Namespace, key: string): boolean {
  const names = [key, key.replace(/_[a-z]+$/, '')].flatMap((name) => [name, `${namespace}:${name}`])
  return names.some((name) => literals.has(name)) || templates.some((template) => names.some((name) => template.test(name)))
}
