import { compareWithBareHttp } from './compare.ts'
import type { Measurement } from './measurement.ts'

/** What most visitors see first. */
export const keptHomepage: Measurement = {
  name: 'kept homepage',
  run: ({ product }) =>
    compareWithBareHttp({
      summary: 'The homepage out of the page store, against bare node:http with the same compressed bytes',
      port: product.port,
      plan: { clients: 32, seconds: 3, most: 100_000, path: '/', headers: { 'accept-encoding': 'br' } },
      warmUp: 500,
    }),
}

/** A project's page for a visitor: rendered once, stored, and sent compressed. */
export const keptPage: Measurement = {
  name: 'kept page',
  run: ({ product }) =>
    compareWithBareHttp({
      summary: 'A project’s page out of the page store, against bare node:http with the same compressed bytes',
      port: product.port,
      plan: { clients: 32, seconds: 3, most: 100_000, path: '/projects/fern-street', headers: { 'accept-encoding': 'br' } },
      warmUp: 500,
    }),
}
