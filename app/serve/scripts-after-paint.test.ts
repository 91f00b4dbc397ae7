import { expect, test } from 'vitest'
import { requestScriptsAfterPaint } from './scripts-after-paint.ts'

const PAGE = `<html><head><link rel="modulepreload" href="/assets/a.js" fetchPriority="low" nonce="n1=="/><link rel="stylesheet" href="/b.css"/><link rel="modulepreload" href="/assets/c.js" fetchPriority="low"/></head><body><h1>Fern Street</h1><script type="module" async="" src="/assets/a.js" nonce="n1=="></script></body></html>`

test('a page names its scripts in one inline script with the page’s nonce, and loads none by its markup', () => {
  const page = requestScriptsAfterPaint(PAGE)
  expect(page).not.toMatch(/<link rel="modulepreload"|<script [^>]*src=/)
  expect(page).toContain('<link rel="stylesheet" href="/b.css"/>')
  expect(page).toContain('<h1>Fern Street</h1><script nonce="n1==">(()=>')
  for (const script of ['/assets/a.js', '/assets/c.js']) expect(page).toContain(`"${script}"`)
})

test('a stylesheet at the end of the page is requested with the scripts, and at once without JavaScript', () => {
  const late = '<link rel="stylesheet" href="/late.css" data-precedence="default"/>'
  const page = requestScriptsAfterPaint(PAGE.replace('</body>', `${late}</body>`))
  expect(page).toContain(`<h1>Fern Street</h1><noscript data-late="">${late}</noscript><script nonce="n1==">`)
  expect(page.split(late)).toHaveLength(2)
})

test('a page without scripts stays as it is', () => {
  const page = '<html><body><p>Not found</p><script>run()</script></body></html>'
  expect(requestScriptsAfterPaint(page)).toBe(page)
})
