import { expect, it } from 'vitest'
import { LANGUAGES } from '#app/lib/languages.ts'
import { TEXTS } from '#app/server/i18n.ts'

/** A closed list shows one line: on a screen of 360 pixels, these letters fit in it. */
const MOST_LETTERS = 31

it.each(['survey-admin', 'contributions-admin'] as const)('who may take part can be read in a closed list on a phone: %s', (namespace) => {
  for (const language of LANGUAGES) {
    const { access } = TEXTS[language][namespace] as { access: Record<string, string> }
    const labels = Object.values(access)
    expect(labels.length).toBeGreaterThan(5)
    expect(labels.filter((label) => label.length > MOST_LETTERS)).toEqual([])
  }
})
