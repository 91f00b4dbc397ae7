import { compareWithBareHttp } from './compare.ts'
import type { Measurement } from './measurement.ts'

/** The same page for somebody signed in: rendered for each request. */
export const renderedPage: Measurement = {
  name: 'rendered page',
  run: ({ product, participant }) =>
    compareWithBareHttp({
      summary: 'A project’s page rendered for somebody signed in, against bare node:http with the same bytes',
      port: product.port,
      plan: { clients: 16, seconds: 4, most: 20_000, path: '/projects/fern-street', headers: { cookie: `token=${participant}` } },
      warmUp: 200,
    }),
}

/** The page with the most on it, for somebody signed in. */
export const renderedHomepage: Measurement = {
  name: 'rendered homepage',
  run: ({ product, participant }) =>
    compareWithBareHttp({
      summary: 'The homepage rendered for somebody signed in, against bare node:http with the same bytes',
      port: product.port,
      plan: { clients: 16, seconds: 4, most: 20_000, path: '/', headers: { cookie: `token=${participant}` } },
      warmUp: 200,
    }),
}
