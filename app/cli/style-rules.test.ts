import { describe, expect, test } from 'vitest'
import { inlineUsedStyles } from '../serve/page-styles.ts'
import { readStyleRules } from './style-rules.ts'

const HREF = '/assets/app-1.css'
const LINK = `<link rel="stylesheet" href="${HREF}" data-precedence="default"/>`

/** What a page with this body gets of the stylesheet. */
function selectStyles(css: string, body: string): string {
  const page = inlineUsedStyles(`<html><head>${LINK}</head><body>${body}</body></html>`, { href: HREF, rules: readStyleRules(css) })
  return /<style>(.*)<\/style><\/head>/s.exec(page)?.[1] ?? ''
}

describe('a page gets the rules that can match something on it', () => {
  test.each([
    ['a class', '.card{color:red}', '<p class="wide card">', '<p class="wide">'],
    ['an element', 'table{color:red}', '<table>', '<p>'],
    ['an id', '#main{color:red}', '<p id="main">', '<p id="other">'],
    ['an attribute', '[data-overlap]{color:red}', '<p data-overlap="">', '<p data-over="">'],
    ['an attribute that React writes with capitals', '[hreflang]{color:red}', '<a hrefLang="en">', '<a lang="en">'],
    ['the value of an attribute', '[data-align="end"]{color:red}', '<p data-align="end">', '<p data-align="start">'],
    ['a part of a value', '[class^="tag-"]{color:red}', '<p class="tag-open">', '<p id="tag-open">'],
    ['an escaped class', '.sm\\:w-1\\/2{color:red}', '<p class="sm:w-1/2">', '<p class="sm:w-1/3">'],
    ['a class escaped in the page', '.\\[\\&\\>a\\]\\:b{color:red}', '<p class="[&amp;&gt;a]:b">', '<p class="b">'],
    ['every part of a selector', '.card>h2:hover+p::before{color:red}', '<p class="card"><h2>', '<p class="card"><h3>'],
    ['one of several selectors', '.card,.tile{color:red}', '<p class="tile">', '<p class="list">'],
    ['the only choice of :where', ':where(.card) p{color:red}', '<p class="card">', '<p class="list">'],
  ])('by %s', (_, css, matching, other) => {
    expect(selectStyles(css, matching)).toBe(css)
    expect(selectStyles(css, other)).toBe('')
  })

  test.each([
    'p:not(.card){color:red}',
    'p:has(.card){color:red}',
    ':is(.card,.list) p{color:red}',
    'p[open]{color:red}',
    '*,:before{color:red}',
    '::backdrop{color:red}',
    ':root{--paper:#fff}',
    'p{&:hover{color:red}}',
    'p:unheard-of(.card){color:red}',
    '4%{color:red}',
    '@font-face{font-family:Public Sans;src:local(Arial)}',
    '@keyframes spin{to{rotate:360deg}}',
    '@property --x{syntax:"*";inherits:false}',
    '@starting-style{.card{opacity:0}}',
    '@layer theme,base;',
  ])('and in case of doubt: %s', (css) => expect(selectStyles(css, '<p>')).toBe(css))

  test('words in scripts do not count', () => expect(selectStyles('.card{color:red}', '<script>"card"</script>')).toBe(''))
})

test('of the fonts, a page gets those that it preloads', () => {
  const [sans, serif] = ['@font-face{font-family:Sans;src:url(/sans.woff2)}', '@font-face{font-family:Serif;src:url("/serif.woff2")}']
  const page = `<html><head>${LINK}<link rel="preload" as="font" href="/serif.woff2"/></head><body></body></html>`
  const styled = inlineUsedStyles(page, { href: HREF, rules: readStyleRules(`${sans}${serif}`) })
  expect(styled).toContain(`<style>${serif}</style>`)
})

test('rules keep their order and the blocks around them', () => {
  const css =
    '@layer base{b{color:red}p{color:blue}}@media print{@supports (color:red){p{color:#000}}}@media (width>=40rem){b{color:red}}p{margin:0}'
  expect(selectStyles(css, '<p>')).toBe('@layer base{p{color:blue}}@media print{@supports (color:red){p{color:#000}}}p{margin:0}')
})

test('a layer of which the page uses nothing keeps its place among the layers', () => {
  expect(selectStyles('@layer base{b{color:red}}@layer components{p{color:blue}}', '<p>')).toBe(
    '@layer base{}@layer components{p{color:blue}}',
  )
})
