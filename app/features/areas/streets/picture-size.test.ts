import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { MapStreets } from '#app/ui/map-streets.tsx'
import { DRAWN_MAPS, DRAWN_SPANS, openDrawnMap } from '#tests/factories/map-pictures.ts'

const compress = (text: string): number => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length

test.each(DRAWN_MAPS)('a picture of %s is below 25 kB compressed, whatever it shows', async (_, build, middle) => {
  const draw = await openDrawnMap(build(), middle)
  for (const kilometres of DRAWN_SPANS) {
    const markup = renderToStaticMarkup(createElement(MapStreets, { streets: await draw(kilometres) }))
    expect(markup, `${kilometres} km`).toContain('<path')
    expect(compress(markup), `${kilometres} km`).toBeLessThan(25_000)
  }
})
