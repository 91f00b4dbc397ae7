import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { getLanguageName } from '#app/lib/language-names.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { findTranslation, type Translated } from '#app/lib/translated.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, contributionStatuses, type FormerWording, officialResponses } from '#app/server/db/schema/contributions.ts'
import type { FormerWordingView, OfficialAnswerView } from './contributions.schema.ts'

export const createLocaliser = (ctx: Ctx) => (translated: Translated | null | undefined) =>
  localiseText(translated, ctx.contentLanguage, ctx.site.locale)

/** Official responses of several contributions, the newest first. Private ones are for the author’s own pages. */
export async function loadAnswers(
  ctx: Ctx,
  tx: Tx,
  ids: readonly string[],
  visibilities?: readonly AnswerVisibility[],
): Promise<Map<string, OfficialAnswerView[]>> {
  const stored = await loadStoredAnswers(ctx, tx, ids, visibilities)
  return new Map(Array.from(stored, ([id, own]) => [id, toAnswerViews(ctx, own)]))
}

/** The same as they are stored. */
export async function loadStoredAnswers(ctx: Ctx, tx: Tx, ids: readonly string[], visibilities: readonly AnswerVisibility[] = ['public']) {
  if (ids.length === 0) return new Map<string, never[]>()
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
  const answers = rows.map(({ response, status }) => ({ ...response, status }))
  return Map.groupBy(answers, ({ contributionId }) => contributionId)
}

export interface StoredAnswer {
  /** Lists leave it out. */
  id?: string
  text: Translated
  team: Translated
  status: Translated | null
  createdAt: Date | string
  visibility: AnswerVisibility
  /** Lists leave out the history, and answers that were withdrawn. */
  former?: readonly FormerWording[]
  editedAt?: Date | null
  withdrawnAt?: Date | null
  withdrawalReason?: Translated
}

/** The public answers to each contribution of a query, the newest first, as one of its columns for `toAnswerViews`. */
export const selectPublicAnswers = () =>
  sql<StoredAnswer[]>`coalesce((
    select json_agg(json_build_object('text', r.text, 'team', r.team, 'status', s.title, 'createdAt', r.created_at,
      'visibility', r.visibility) order by r.version desc)
    from ${officialResponses} r left join ${contributionStatuses} s on s.site_id = r.site_id and s.id = r.status_id
    where r.site_id = ${contributions.siteId} and r.contribution_id = ${contributions.id} and r.visibility = 'public'
      and r.withdrawn_at is null
  ), '[]')`

export function toAnswerViews(ctx: Ctx, answers: readonly StoredAnswer[]): OfficialAnswerView[] {
  const localise = createLocaliser(ctx)
  return answers.map(({ id, text, team, status, createdAt, visibility, former = [], editedAt, withdrawnAt, withdrawalReason }) => ({
    id: id ?? null,
    status: status ? localise(status) : null,
    text: localise(withdrawnAt ? null : text),
    team: localise(team),
    at: new Date(createdAt).toISOString(),
    visibility,
    editedAt: editedAt?.toISOString() ?? null,
    former: withdrawnAt ? [] : former.toReversed().map((wording) => toWordingView(ctx, wording)),
    withdrawn: withdrawnAt ? { at: withdrawnAt.toISOString(), reason: localise(withdrawalReason) } : null,
  }))
}

function toWordingView(ctx: Ctx, { id, text, team, at }: FormerWording): FormerWordingView {
  const localise = createLocaliser(ctx)
  const shown = findTranslation(text, ctx.contentLanguage, ctx.site.locale)
  const others = ctx.site.languages.flatMap((language) => {
    const other = text[language]
    return other && language !== shown?.language ? [{ language, name: getLanguageName(language), text: other }] : []
  })
  return { id, text: localise(text), others, team: localise(team), at }
}
