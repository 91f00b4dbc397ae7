import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'

export const browserTokenShape = resourceShape({
  type: 'browser-tokens',
  summary:
    'Tokens that recognise somebody without an account. Get one, keep it, and send it as `browserToken` with whatever this person sends; one that the site did not issue counts as none',
  operations: ['create'],
  attributes: { token: attribute(v.string()) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'browser-tokens': typeof browserTokenShape
  }
}
