import { loadOrigins, type Origins } from '#app/features/reach/reach.figures.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Describe } from './describe-report.server.ts'
import { countDays, type Period } from './report.search.ts'

/** Sources are stored for each day and project. More than this, a hundred projects over a year, takes too long to add up during a request. */
const MAX_PROJECT_DAYS = 36_600

export type ReportOrigins = Origins | 'too-many'

/** From where visitors of the projects came in these days. */
export const loadReportOrigins = async (
  ctx: Ctx,
  tx: Tx,
  { projects, period }: { projects: readonly string[]; period: Period },
): Promise<ReportOrigins> =>
  projects.length * countDays(period.from, period.until) > MAX_PROJECT_DAYS
    ? 'too-many'
    : loadOrigins(ctx, tx, { kind: 'project', places: projects, ...period })

/** A table of sources, and one of campaigns if links had campaign codes. Undefined if there were no visits. */
export const describeOrigins: Describe = ({ origins }, { t, count, figure, sourceName }) => {
  if (!origins) return undefined
  if (origins === 'too-many') return { blocks: [{ kind: 'note', text: t('too-many-origins') }], figures: [] }
  if (origins.sources.length === 0) return undefined
  const buildTable = (kind: 'sources' | 'campaigns', rows: readonly { name: string; aware: number; informed: number }[]) => ({
    kind: 'table' as const,
    caption: t(`captions.${kind}`),
    hasShownCaption: true,
    heads: [t(kind === 'sources' ? 'heads.source' : 'heads.campaign'), figure('aware'), figure('informed')],
    rows: rows.map(({ name, aware, informed }) => [{ text: name, value: name }, count(aware), count(informed)]),
  })
  return {
    blocks: [
      buildTable(
        'sources',
        origins.sources.map(({ source, ...figures }) => ({ name: sourceName(source), ...figures })),
      ),
      ...(origins.campaigns.length > 0
        ? [
            buildTable(
              'campaigns',
              origins.campaigns.map(({ campaign, ...figures }) => ({ name: campaign, ...figures })),
            ),
          ]
        : []),
      { kind: 'text', text: t('origins-note') },
    ],
    figures: ['aware', 'informed'],
  }
}
