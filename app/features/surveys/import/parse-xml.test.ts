import { describe, expect, test } from 'vitest'
import { BeyondLimitsError } from './beyond-limits.ts'
import { parseXml } from './parse-xml.ts'

const nest = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`

describe('XML', () => {
  test('text, CDATA, references and comments become one text', () => {
    const { name, children } = parseXml(
      '\uFEFF<?xml version="1.0"?><row><q>Parks &amp; <![CDATA[<b>paths</b> &amp;]]><!-- x --> &#x1F333;</q></row>',
    )
    expect([name, children]).toEqual(['row', [{ name: 'q', text: 'Parks & <b>paths</b> &amp; 🌳', children: [] }]])
  })

  test('a greater-than sign in an attribute does not end its tag', () => {
    expect(parseXml('<row note="1 > 2"><q/>text</row>')).toEqual({
      name: 'row',
      text: 'text',
      children: [{ name: 'q', text: '', children: [] }],
    })
  })

  test('control characters that people paste are dropped', () => {
    expect(parseXml('<q><![CDATA[Where\u000b to?\u0001]]></q>').text).toBe('Where to?')
  })

  test.each([
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an unknown entity', '<a>&b;</a>'],
    ['an element that does not end', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['nothing', ' '],
    ['elements nested too deep', nest(51)],
  ])('%s is refused', (_, document) => {
    expect(() => parseXml(document)).toThrow()
  })

  test('limits are what any survey needs', () => {
    expect(parseXml(nest(50)).name).toBe('a')
    const elements = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`
    expect(parseXml(elements(200_000)).children).toHaveLength(199_999)
    expect(() => parseXml(elements(200_001))).toThrow(BeyondLimitsError)
  })
})
