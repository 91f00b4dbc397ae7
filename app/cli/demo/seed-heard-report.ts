import { eq } from 'drizzle-orm'
import { freezeReport } from '#app/features/heard-reports/publish-report.server.ts'
import { CONTENT_SCHEMA, createBlock, type HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { joinTx } from '#app/server/db/client.ts'
import { heardReportRevisions } from '#app/server/db/schema/heard.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { DemoHeard } from './content/heard.ts'
import type { People, SeedContext } from './seed-context.ts'

interface ReportInput {
  heard: DemoHeard
  projectId: string
  surveyId: string
  /** By name. */
  themes: ReadonlyMap<string, string>
  /** Evidence that may be quoted, by theme. */
  quotes: ReadonlyMap<string, readonly string[]>
}

/** Publishes a report of a project that was heard, as its editor does. */
export async function seedHeardReport(seeding: SeedContext, people: People, input: ReportInput): Promise<void> {
  const { tx, siteId, calendar } = seeding
  const { heard, projectId } = input
  const at = calendar.at(heard.decided + heard.report.after, 10)
  const by = people.accounts.siteAdmin.id
  const [revision] = await tx
    .insert(heardReportRevisions)
    .values({
      siteId,
      id: createId(),
      placeId: projectId,
      content: { schema: CONTENT_SCHEMA, blocks: buildBlocks(seeding, input) },
      createdBy: by,
      createdAt: at,
      publishedAt: at,
      publishedBy: by,
      announcedAt: at,
    })
    .returning()
  const [site] = await tx.select().from(sites).where(eq(sites.id, siteId))
  if (!revision || !site) throw new Error('The report of the demo was not stored')
  await tx.insert(revisionHeads).values({ siteId, subject: 'heard-report', scopeId: projectId, draftId: revision.id })
  const now = () => at
  const ctx: Ctx = {
    site: { ...site, host: '', primaryHost: '' },
    viewer: VISITOR,
    language: site.locale,
    contentLanguage: site.locale,
    db: joinTx(siteId, tx),
    address: null,
    userAgent: null,
    requestId: '',
    // Nothing but the clock of the process is asked for.
    runtime: { now } as Runtime,
    now,
  }
  await freezeReport(ctx, tx, revision)
}

const fillBlock = <Type extends HomeBlock['type']>(type: Type, id: string, values: Partial<HomeBlock<Type>> = {}): HomeBlock => ({
  ...createBlock(type, `b_${id}`),
  ...values,
})

function buildBlocks({ calendar }: SeedContext, { heard, surveyId, themes, quotes }: ReportInput): HomeBlock[] {
  const { summary, figures, themes: shown, steps } = heard.report
  const toDay = (days: number) => calendar.at(days, 12).toISOString().slice(0, 10)
  const dated = steps.map(({ day, title }, at) => ({ id: `s${at + 1}`, day: toDay(day), title, text: {} }))
  return [
    fillBlock('rich_text', 'summary', { body: summary }),
    fillBlock('report_people', 'people'),
    ...figures.map(({ question, words }) => fillBlock('report_figure', question, { question: `${surveyId}:${question}`, body: words })),
    ...shown.map((name) => {
      const theme = themes.get(name) ?? ''
      return fillBlock('report_theme', name, { chosen: { theme, quotes: [...(quotes.get(theme) ?? [])] } })
    }),
    fillBlock('report_method', 'method'),
    ...(dated.length > 0 ? [fillBlock('timeline', 'timeline', { steps: dated })] : []),
    fillBlock('report_decisions', 'decisions'),
    fillBlock('report_next', 'next'),
  ]
}
