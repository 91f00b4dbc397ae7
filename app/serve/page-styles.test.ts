import { expect, test } from 'vitest'
import { inlineUsedStyles } from './page-styles.ts'

const STYLESHEET = { href: '/assets/app-1.css', rules: [{ text: 'p{margin:0}' }] }
const LINK = '<link rel="stylesheet" href="/assets/app-1.css" data-precedence="default"/>'

test('a page has the rules it uses at the end of its head, and the whole stylesheet after all that it shows', () => {
  const page = `<html><head>${LINK}<title>Fern Street</title><style>:root{--site-ink:#000}</style></head><body><p></p><script>run()</script></body></html>`
  expect(inlineUsedStyles(page, STYLESHEET)).toBe(
    '<html><head><title>Fern Street</title><style>:root{--site-ink:#000}</style><style>p{margin:0}</style></head>' +
      `<body><p></p><script>run()</script>${LINK}</body></html>`,
  )
})

test.each([
  ['with another stylesheet', `<html><head><link rel="stylesheet" href="/assets/admin-1.css"/></head><body></body></html>`],
  ['without a body', `<html><head>${LINK}</head>`],
  ['that a script names it in', `<html><head></head><body><script>"${LINK.replaceAll('"', String.raw`\"`)}"</script></body></html>`],
])('a page %s stays as it is', (_, page) => {
  expect(inlineUsedStyles(page, STYLESHEET)).toBe(page)
})

test('without a build, pages stay as they are', () => {
  const page = `<html><head>${LINK}</head><body></body></html>`
  expect(inlineUsedStyles(page, undefined)).toBe(page)
})
