import { expect, test } from 'vitest'
import { getFormatter } from '#app/lib/format.ts'
import type { Language } from '#app/lib/languages.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { formatValueLabel } from './value-labels.ts'

test.each<[Language, string]>([
  ['en', 'January 2024'],
  ['fr-CA', 'janvier 2024'],
  ['cy', 'Ionawr 2024'],
])('a date is counted by months, with their names: %s', (language, month) => {
  const words = {
    t: getTranslator(language, 'survey'),
    format: getFormatter({ language, timeZone: 'America/Vancouver', region: 'Canada' }),
    language,
    say: () => ({ text: '' }),
  }
  expect(formatValueLabel(words as never, { id: 'when', type: 'date', title: { en: 'When?' } } as never, '2024-01')).toBe(month)
})
