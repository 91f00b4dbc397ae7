import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { TEXTS } from '../server/i18n.ts'
import { fillTexts, TEXTS_MARK } from './page-texts.ts'

const fill = (language: string, namespaces: string) =>
  Buffer.concat(fillTexts(`<p>Été</p><script>state={texts:"${TEXTS_MARK}/${language}/${namespaces}"}</script><p>é</p>`)).toString()

test('a page gets the texts that it names, in its language, where a script can read them', () => {
  for (const language of ['en', 'fr-CA', 'cy'] as const) {
    const html = fill(language, 'common,survey-admin')
    const [, before, script = '', after] = /^(.*)<script>(.*)<\/script>(.*)$/s.exec(html) ?? []
    expect([before, after]).toEqual(['<p>Été</p>', '<p>é</p>'])
    const { texts } = runInNewContext(script) as { texts: string }
    expect(JSON.parse(texts)).toEqual({ common: TEXTS[language].common, 'survey-admin': TEXTS[language]['survey-admin'] })
  }
})

test('no text ends the script that it is in', () => {
  expect(fill('en', Object.keys(TEXTS.en).join()).match(/<(?!p|\/p|script|\/script)/g)).toBeNull()
})

test('a page without a place for texts stays as it is', () => {
  const html = '<p>texts0123/en/common</p>'
  expect(Buffer.concat(fillTexts(html)).toString()).toBe(html)
})
