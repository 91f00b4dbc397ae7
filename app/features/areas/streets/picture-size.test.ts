import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { DRAWN_MAPS, DRAWN_SPANS, openDrawnMap } from '#tests/factories/map-pictures.ts'
import { renderStreets } from './render-streets.server.ts'

const compress = (text: string): number => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length

test.each(DRAWN_MAPS)('a picture of %s is below 25 kB compressed, whatever it shows', async (_, build, middle) => {
  const draw = await openDrawnMap(build(), middle)
  for (const kilometres of DRAWN_SPANS) {
    const markup = await draw(kilometres)
    expect(markup, `${kilometres} km`).toContain('<path')
    expect(compress(markup), `${kilometres} km`).toBeLessThan(25_000)
  }
})

test('names are text, whatever a map file says', () => {
  const name = '</text><script>alert(1)</script>&"'
  const markup = renderStreets({ paths: [], names: [{ name, kind: 'street', spot: [1, 2], turned: 30, fits: 'wide' }] })
  expect(markup).toContain('>&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;</text>')
})
