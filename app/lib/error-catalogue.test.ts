import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES, type ErrorCode } from './error-catalogue.ts'
import { TEXTS } from '../server/i18n.ts'
import { toFaultTitle } from './fault-title.ts'
import { LANGUAGES, type Language } from './languages.ts'

const say = async (language: Language, fault: Parameters<typeof toFaultTitle>[0]) => {
  const i18n = createInstance()
  await i18n.init({ lng: language, ns: ['errors'], defaultNS: 'errors', resources: { [language]: { errors: TEXTS[language].errors } } })
  const [key, options] = toFaultTitle(fault)
  return i18n.getFixedT(language, 'errors')(key, options)
}

describe('the error catalogue', () => {
  it.each(LANGUAGES)('has a title for every code and for nothing else in %s', (language) => {
    const { codes } = TEXTS[language].errors as { codes: Record<string, string> }
    const bases = new Set(Object.keys(codes).map((key) => key.split('_')[0]))
    expect([...bases].sort()).toEqual([...ERROR_CODES].sort())
    for (const code of ERROR_CODES) expect(codes[code]?.trim(), code).toBeTruthy()
  })

  it("inserts limits with the language's plural form", async () => {
    const fault = (max: number) => ({ code: 'too-long' as ErrorCode, values: { max } })
    expect(await say('en', fault(1))).toBe('Use no more than 1 character.')
    expect(await say('en', fault(200))).toBe('Use no more than 200 characters.')
    expect(await say('fr-CA', fault(200))).toBe('Utilisez au plus 200 caractères.')
    expect(await say('cy', fault(200))).toBe('Defnyddiwch 200 o nodau ar y mwyaf.')
    expect(await say('en', { code: 'out-of-range', values: { min: 16 } })).toBe('This must be 16 or more.')
  })

  it('has a sentence without a limit', async () => {
    expect(await say('en', { code: 'too-long' })).toBe('This is too long.')
  })
})
