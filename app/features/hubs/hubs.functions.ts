import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { redirectIfMoved } from '#app/features/sites/old-addresses.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { loadProjectCards } from '#app/features/projects/projects.list.server.ts'
import { withTx } from '#app/server/context.ts'
import { getHub, listHubs } from './hubs.server.ts'

const PROJECTS_SHOWN = 24

export const readHubs = createServerFn()
  .validator(noInput)
  .handler(({ context }) => listHubs(context.ctx))

export const readHub = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema })))
  .handler(({ data, context: { ctx } }) =>
    redirectIfMoved(ctx, 'hubs', data.slug, () =>
      ctx.db.read(async (tx) => {
        const inside = withTx(ctx, tx)
        const hub = await getHub(inside, data)
        return { hub, projects: await loadProjectCards(inside, { hubId: hub.id, limit: PROJECTS_SHOWN }), now: ctx.now().toISOString() }
      }),
    ),
  )
