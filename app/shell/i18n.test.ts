import { expect, test } from 'vitest'
import { createServerI18n } from '#app/server/i18n.ts'
import { createBrowserI18n } from './i18n-browser.ts'
import { hydrateTexts, serialiseTexts } from './i18n.ts'

test('a browser has the texts that came with the page, in its language, and no others', () => {
  for (const language of ['en', 'fr-CA', 'cy'] as const) {
    const server = createServerI18n(language)
    const browser = createBrowserI18n(language)
    hydrateTexts(browser, serialiseTexts(server, ['common', 'survey-admin']))
    for (const namespace of ['common', 'survey-admin'] as const)
      expect(browser.getResourceBundle(language, namespace)).toEqual(server.getResourceBundle(language, namespace))
    expect(browser.t('loading', { ns: 'common' })).toBe(server.t('loading', { ns: 'common' }))
    expect(browser.hasResourceBundle(language, 'admin')).toBe(false)
  }
})
