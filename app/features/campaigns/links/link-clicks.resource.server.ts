import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { linkClickShape } from './link-clicks.api.schema.ts'
import { type CountedLink, listCountedLinks } from './link-clicks.server.ts'

export const linkClickResource = implementResource(linkClickShape, {
  list: (ctx, { filter, page }) => {
    if (!filter.campaign) throw new AppError('invalid-parameter', { parameter: 'filter[campaign]' })
    return listCountedLinks(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ url, language, clicks, lastDay }: CountedLink) => ({ url, language, clicks, lastDay }),
})
