import { useTranslation } from 'react-i18next'
import { expect, it } from 'vitest'
import { getTranslator } from '#app/server/i18n.ts'

it('text keys and namespaces that do not exist do not compile', () => {
  const common = getTranslator('en', 'common')
  expect(common('skip-to-content')).toBe('Skip to content')
  expect(common('error-page.not-found.title')).toContain('Page not found')
  // @ts-expect-error no such key
  common('skip-to')
  // @ts-expect-error a key of another file
  common('codes.gone')
  // @ts-expect-error part of a key is not a text
  const part: string = common('error-page.not-found')
  expect(part).toBeTruthy()
  // @ts-expect-error no such file
  expect(() => getTranslator('en', 'nothing')('a')).not.toThrow()
  // @ts-expect-error no such language
  expect(() => getTranslator('xx', 'common')).not.toThrow()
})

/** Never called: hooks only need the compiler here. */
export function Checked() {
  const { t } = useTranslation('errors')
  t('codes.gone')
  t('codes.too-long', { context: 'max', count: 3 })
  // @ts-expect-error no such key
  t('codes.nothing')
  const { t: common } = useTranslation()
  common('home')
  // @ts-expect-error no such key of the default file
  common('codes.gone')
  const { t: both } = useTranslation(['common', 'errors'])
  both('errors:codes.gone')
  // @ts-expect-error no such key
  both('errors:nothing')
  // @ts-expect-error no such file
  useTranslation('nothing')
}
