import { and, desc, eq, inArray } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionStatuses, officialResponses } from '#app/server/db/schema/contributions.ts'
import type { OfficialAnswerView } from '../contributions.schema.ts'

export const createLocaliser = (ctx: Ctx) => (translated: Translated | null | undefined) =>
  localiseText(translated, ctx.language, ctx.site.locale)

/** Official responses of several contributions, the newest first. Private ones are for the author’s own pages. */
export async function loadAnswers(
  ctx: Ctx,
  tx: Tx,
  ids: readonly string[],
  visibilities: readonly AnswerVisibility[] = ['public'],
): Promise<Map<string, OfficialAnswerView[]>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ response: officialResponses, status: contributionStatuses.title })
    .from(officialResponses)
    .leftJoin(
      contributionStatuses,
      and(eq(contributionStatuses.siteId, officialResponses.siteId), eq(contributionStatuses.id, officialResponses.statusId)),
    )
    .where(
      and(
        eq(officialResponses.siteId, ctx.site.id),
        inArray(officialResponses.contributionId, [...ids]),
        inArray(officialResponses.visibility, [...visibilities]),
      ),
    )
    .orderBy(desc(officialResponses.version))
  const localise = createLocaliser(ctx)
  const toView = ({ response, status }: (typeof rows)[number]): OfficialAnswerView => ({
    status: status ? localise(status) : null,
    text: localise(response.text),
    team: localise(response.team),
    at: response.createdAt.toISOString(),
    visibility: response.visibility,
  })
  const byContribution = Map.groupBy(rows, ({ response }) => response.contributionId)
  return new Map(Array.from(byContribution, ([id, own]) => [id, own.map(toView)]))
}
