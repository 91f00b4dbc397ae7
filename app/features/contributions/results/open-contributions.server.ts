import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import type { OpenFormat } from './activity-export.schema.ts'
import { exportPublished } from './activity-export.server.ts'
import { listOpenFormats } from './open-formats.ts'

const MAX_ACTIVITIES = 1000

/** An activity whose contributions are open data. */
export interface OpenActivity {
  project: string
  activity: string
  title: Translated
  description: Translated
  formats: readonly OpenFormat[]
}

/** Activities in public projects whose published contributions everybody may download. */
export function listOpenActivities(ctx: Ctx): Promise<OpenActivity[]> {
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ activity: activities, project: projects.slug })
      .from(activities)
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(
        and(
          listedWhere({ ...ctx, viewer: VISITOR }),
          ne(activities.status, 'draft'),
          sql`${activities.settings} @> '{"openData": true}'::jsonb`,
        ),
      )
      .orderBy(asc(activities.createdAt), asc(activities.id))
      .limit(MAX_ACTIVITIES)
    return rows.map(({ activity, project }) => ({
      project,
      activity: activity.slug,
      title: activity.title,
      description: activity.intro,
      formats: listOpenFormats(activity),
    }))
  })
}

export const buildContributionsUrl = (ctx: Ctx, { project, activity }: Pick<OpenActivity, 'project' | 'activity'>, format: OpenFormat) =>
  buildSiteUrl(ctx, `/projects/${project}/${activity}/contributions.${format}`)

interface DownloadRequest {
  context: RequestContext
  params: { slug: string; activity: string }
}

/** Download route of what is published in an activity, if it is open data. Everybody gets what a visitor gets. */
export const serveOpenContributions =
  (format: OpenFormat) =>
  ({ context: { ctx }, params: { slug, activity } }: DownloadRequest): Promise<Response> => {
    const visitor = { ...ctx, viewer: VISITOR }
    return createFileResponse(visitor, async () => {
      const placed = await visitor.db.read((tx) => requireActivityAt(visitor, tx, { project: slug, activity }))
      const isOpen = placed.project.visibility === 'public' && readActivitySettings(placed.activity).settings.openData
      if (!isOpen || !listOpenFormats(placed.activity).includes(format)) throw new AppError('not-found')
      return exportPublished(visitor, placed, format)
    })
  }
