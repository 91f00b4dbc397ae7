import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { listInlines, toExcerpt, parseRichText, toPlainText, type RichInline, toSafeHref } from './rich-text.ts'

const links = (content: readonly RichInline[]): string[] =>
  content.flatMap((part) =>
    part.type === 'link'
      ? [part.href, ...links(part.content)]
      : part.type === 'strong' || part.type === 'emphasis'
        ? links(part.content)
        : [],
  )
const allLinks = (source: string) => parseRichText(source).flatMap(listInlines).flatMap(links)

describe('light markup', () => {
  test('parses paragraphs, headings, lists, links and bold text', () => {
    expect(parseRichText('## The plan\n\nTwo **lanes**,\nforty [trees](/projects/trees).\n- one\n- two\nAfter.\n### More')).toEqual([
      { type: 'heading', level: 2, content: [{ type: 'text', text: 'The plan' }] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Two ' },
          { type: 'strong', content: [{ type: 'text', text: 'lanes' }] },
          { type: 'text', text: ',' },
          { type: 'break' },
          { type: 'text', text: 'forty ' },
          { type: 'link', href: '/projects/trees', content: [{ type: 'text', text: 'trees' }] },
          { type: 'text', text: '.' },
        ],
      },
      { type: 'list', items: [[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]] },
      { type: 'paragraph', content: [{ type: 'text', text: 'After.' }] },
      { type: 'heading', level: 3, content: [{ type: 'text', text: 'More' }] },
    ])
  })

  test('treats an unclosed mark, and any HTML, as text', () => {
    for (const source of ['**', '****', 'a ** b', '[x]', '[x](', '[](/a)', '2 * 3 ** 4', '<script>alert(1)</script>', '&lt;b&gt;']) {
      expect(parseRichText(source)).toEqual([{ type: 'paragraph', content: [{ type: 'text', text: source }] }])
    }
  })

  test('links lead only to the web, a mailbox or this site', () => {
    const hostile = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,<script>',
      'vbscript:x',
      '//evil.example',
      '/\\evil.example',
      'https:evil',
      'https://',
      'mailto:',
      'mailto:a@b?bcc=c@d',
      'file:///etc/passwd',
      '\u0001javascript:alert(1)',
      'https://a b',
      'blob:https://x',
    ]
    for (const href of hostile) expect([href, toSafeHref(href), allLinks(`[x](${href})`)]).toEqual([href, undefined, []])
    for (const href of [
      'https://parley.example/a?b=c#d',
      'http://parley.example',
      '/',
      '/projects?status=open',
      'mailto:team@riverbend.example',
    ]) {
      expect(allLinks(`**[x](${href})**`)).toEqual([href])
    }
  })

  test('whatever is typed, every link is safe and every word is kept', () => {
    const marks = fc.array(
      fc.oneof(
        fc.constantFrom('**', '[', '](', ')', '\n', '\n\n', '## ', '- ', '/x', 'https://x.example', 'javascript:', 'word'),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(marks, (parts) => {
        const source = parts.join('')
        expect(allLinks(source).every((href) => toSafeHref(href) === href)).toBe(true)
        expect(toPlainText(source).split('word').length).toBe(source.split('word').length)
      }),
      { numRuns: 500 },
    )
  })

  test('parses hostile text of maximum length quickly', () => {
    const measureCpu = startCpuClock()
    for (const source of ['[', '**', '*', '[a](', '[a](/', '](', '**[', '- '].map((mark) => mark.repeat(20_000))) parseRichText(source)
    expect(measureCpu()).toBeLessThan(2000)
  })
})

test('an excerpt is a single line, cut between words', () => {
  expect(toExcerpt('## Plan\n\nTwo **lanes** for\n- buses\n- bikes', 100)).toBe('Plan Two lanes for buses bikes')
  expect(toExcerpt('Two lanes for buses, and bikes', 21)).toBe('Two lanes for buses…')
  expect(toExcerpt('Llanfairpwllgwyngyll', 10)).toBe('Llanfairp…')
})
