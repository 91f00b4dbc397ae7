import { sql } from 'drizzle-orm'
import { loadPlaceFigures } from '#app/features/reach/reach.figures.server.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Describe } from './describe-report.server.ts'
import type { Period, Step } from './report.search.ts'

const MOST_READ = 10
const KINDS = ['update', 'document'] as const

/** An update or a document that was opened. */
export interface ReadItem {
  kind: (typeof KINDS)[number]
  title: string
  project: string
  readers: number
  /** Of the page; documents have none. */
  href: string | null
}

interface ItemRow extends Record<string, unknown> {
  kind: ReadItem['kind']
  id: string
  title: Translated
  project: Translated
  href: string | null
}

/** Published updates and documents of the projects, those that most people opened first, as reach counts people. */
export async function loadReadItems(
  ctx: Ctx,
  tx: Tx,
  { projects, period, step }: { projects: readonly string[]; period: Period; step: Step },
): Promise<ReadItem[]> {
  const { rows } = await tx.execute<ItemRow>(sql`
    with chosen as (select id, slug, title from projects where site_id = ${ctx.site.id} and id = any (${sql.param([...projects])}::uuid[]))
    select 'update' as kind, u.id, u.title, p.title as project, '/projects/' || p.slug || '/updates/' || u.slug as href
    from project_updates u join chosen p on p.id = u.project_id
    where u.site_id = ${ctx.site.id} and u.published_at <= ${ctx.now().toISOString()}::timestamptz
    union all
    select 'document', d.id, d.title, p.title, null
    from project_documents d join chosen p on p.id = d.project_id where d.site_id = ${ctx.site.id}`)
  const items: ReadItem[] = []
  for (const kind of KINDS) {
    const own = rows.filter((row) => row.kind === kind)
    if (own.length === 0) continue
    const { places } = await loadPlaceFigures(ctx, tx, { kind, ...period, places: own.map(({ id }) => id), step })
    const translate = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
    const read = own.flatMap(({ id, title, project, href }): ReadItem[] => {
      const readers = places.get(id)?.aware ?? 0
      return readers > 0 ? [{ kind, title: translate(title), project: translate(project), readers, href }] : []
    })
    items.push(...read.toSorted((a, b) => b.readers - a.readers || a.title.localeCompare(b.title)).slice(0, MOST_READ))
  }
  return items
}

/** A table of updates and one of documents. Undefined if nothing was opened. */
export const describeRead: Describe = ({ read }, { t, count, figure }) => {
  if (!read || read.length === 0) return undefined
  return {
    blocks: [
      ...KINDS.flatMap((kind) => {
        const items = read.filter((item) => item.kind === kind)
        if (items.length === 0) return []
        return [
          {
            kind: 'table' as const,
            caption: t(`captions.read-${kind}`),
            hasShownCaption: true,
            textColumns: 2,
            heads: [t(`heads.${kind}`), t('heads.project'), figure('readers')],
            rows: items.map(({ title, project, readers, href }) => [
              { text: title, value: title, ...(href === null ? {} : { href }) },
              { text: project, value: project },
              count(readers),
            ]),
          },
        ]
      }),
      { kind: 'text', text: t('read-note') },
    ],
    figures: ['readers'],
  }
}
