import { expect, test } from 'vitest'
import { expectAccessible, openPage } from '#tests/support/browser.ts'

/** A page without faults, with some of its parts replaced. */
const write = ({
  lang = 'en',
  title = 'Trees',
  link = 'Plant a tree',
  color = '#000',
  label = 'Your street',
  second = 'Search',
  size = 30,
} = {}) =>
  `<!doctype html><html lang="${lang}"><head><title>${title}</title>
  <style>body { background: #fff; color: ${color} } a { display: inline-block; padding: 12px } button { width: ${size}px; height: ${size}px; padding: 0 }</style></head>
  <body><main><h1>${title}</h1><p>${title}, ${link}</p><p><a href="/${lang}">${link}</a></p>
  <p><label for="street">${label}</label> <input id="street"></p><p><button>${title[0]}</button><button>${link[0]}</button></p>
  <nav aria-label="Main"><p>1</p></nav><nav aria-label="${second}"><p>2</p></nav></main></body></html>`

test('a page that differs only in its words from one that passed is taken as accessible, and no other is', async () => {
  const page = await openPage()
  const check = async (content: string) => {
    await page.goto('about:blank', { waitUntil: 'load' })
    await page.setContent(content)
    await expectAccessible(page)
  }
  const isChecked = () => page.evaluate(() => 'axe' in window)
  await check(write())
  expect(await isChecked()).toBe(true)
  await check(write({ lang: 'fr-CA', title: 'Arbres', link: 'Planter un arbre', label: 'Votre rue', second: 'Recherche' }))
  expect(await isChecked()).toBe(false)
  const faults = {
    'color-contrast': write({ color: '#ccc' }),
    label: write({ label: '' }),
    'landmark-unique': write({ second: 'Main' }),
    'target-size': write({ size: 12 }),
  }
  for (const [fault, content] of Object.entries(faults))
    await expect(check(content), fault).rejects.toMatchObject({
      actual: expect.arrayContaining([expect.stringContaining(fault)]) as unknown,
    })
})
