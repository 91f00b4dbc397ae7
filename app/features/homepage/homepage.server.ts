import { and, desc, eq, isNotNull, isNull, lte, sql, sum } from 'drizzle-orm'
import * as v from 'valibot'
import { listHubs } from '#app/features/hubs/hubs.server.ts'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { projectCards } from '#app/features/projects/projects.list.server.ts'
import { phaseSql } from '#app/features/projects/projects.select.server.ts'
import type { ProjectCardView } from '#app/features/projects/projects.schema.ts'
import type { HubCardView } from '#app/features/hubs/hubs.schema.ts'
import type { Translated } from '#app/lib/translated.ts'
import { wordsIn } from '#app/lib/words.ts'
import { type Ctx, within } from '#app/server/context.ts'
import { homepageRevisions, projects, surveys } from '#app/server/db/schema.ts'
import { type Counter, DEFAULT_BLOCKS, type GridFilter, type HomeBlock, homeBlockSchema, type HomeBlockView } from './homepage.schema.ts'

export type HomeView = { blocks: HomeBlockView<ProjectCardView, HubCardView>[]; now: string }

/** The homepage that is published, each block filled with what it shows to the viewer; without one, a decent default. */
export function getHomepage(ctx: Ctx): Promise<HomeView> {
  return ctx.db.tx(async (tx) => {
    const inside = within(ctx, tx)
    const blocks = await publishedBlocks(inside)
    return { blocks: await fillBlocks(inside, blocks), now: ctx.now().toISOString() }
  })
}

/** Fills blocks of any revision, published or not: what the page and its preview both show. */
export async function fillBlocks(ctx: Ctx, blocks: readonly HomeBlock[]): Promise<HomeView['blocks']> {
  const named = await namedProjects(ctx, blocks)
  const featured = new Set(blocks.flatMap((block) => (block.type === 'featured_project' ? [block.projectId] : [])))
  const filled: HomeView['blocks'] = []
  for (const block of blocks) {
    const view = await fillBlock(ctx, block, named, [...featured])
    if (view) filled.push(view)
  }
  return filled
}

async function publishedBlocks(ctx: Ctx): Promise<readonly HomeBlock[]> {
  const [revision] = await ctx.db.tx((tx) =>
    tx
      .select({ content: homepageRevisions.content })
      .from(homepageRevisions)
      .where(
        and(
          eq(homepageRevisions.siteId, ctx.site.id),
          isNull(homepageRevisions.hubId),
          isNotNull(homepageRevisions.publishedAt),
          lte(homepageRevisions.publishedAt, ctx.now()),
        ),
      )
      .orderBy(desc(homepageRevisions.publishedAt), desc(homepageRevisions.id))
      .limit(1),
  )
  const stored = readBlocks(revision?.content)
  return stored.length ? stored : DEFAULT_BLOCKS
}

/** The blocks of stored content that can be understood: one that cannot never takes the page down with it. */
function readBlocks(content: unknown): HomeBlock[] {
  const listed = v.safeParse(v.object({ blocks: v.array(v.unknown()) }), content)
  if (!listed.success) return []
  return listed.output.blocks.flatMap((block) => {
    const read = v.safeParse(homeBlockSchema, block)
    return read.success ? [read.output] : []
  })
}

/** Every project that a block names, as far as the viewer may see it, in one query. */
async function namedProjects(ctx: Ctx, blocks: readonly HomeBlock[]): Promise<Map<string, ProjectCardView>> {
  const ids = new Set(
    blocks.flatMap((block) => {
      if (block.type === 'featured_project') return [block.projectId]
      return block.type === 'voices' ? block.quotes.flatMap((quote) => (quote.projectId ? [quote.projectId] : [])) : []
    }),
  )
  const cards = await projectCards(ctx, { ids: [...ids], limit: ids.size })
  return new Map(cards.map((card) => [card.id, card]))
}

const PHASE_OF: Record<GridFilter, 'open' | 'upcoming' | 'results' | undefined> = {
  open: 'open',
  upcoming: 'upcoming',
  results: 'results',
  newest: undefined,
}

async function fillBlock(
  ctx: Ctx,
  block: HomeBlock,
  named: Map<string, ProjectCardView>,
  featured: readonly string[],
): Promise<HomeView['blocks'][number] | undefined> {
  const words = (translated: Translated) => wordsIn(translated, ctx.language, ctx.site.locale)
  const { id } = block
  switch (block.type) {
    case 'hero': {
      const action = (given: typeof block.action) => (given ? { label: words(given.label), href: given.href } : null)
      return {
        id,
        type: 'hero',
        title: words(block.title),
        text: words(block.text),
        picture: block.picture ?? null,
        action: action(block.action),
        second: action(block.second),
      }
    }
    case 'featured_project': {
      const project = named.get(block.projectId)
      return project && { id, type: 'featured_project', project }
    }
    case 'project_grid': {
      const phase = PHASE_OF[block.filter]
      const cards = await projectCards(ctx, {
        ...(phase ? { phase } : {}),
        limit: block.limit,
        newest: block.filter === 'newest',
        without: featured,
      })
      return {
        id,
        type: 'project_grid',
        title: words(block.title),
        filter: block.filter,
        projects: wholeRows(cards),
        total: await countListed(ctx),
      }
    }
    case 'hub_grid':
      return { id, type: 'hub_grid', title: words(block.title), hubs: await listHubs(ctx) }
    case 'voices':
      return {
        id,
        type: 'voices',
        title: words(block.title),
        quotes: block.quotes.map((quote) => {
          const project = quote.projectId ? named.get(quote.projectId) : undefined
          return { text: quote.text, language: quote.language, project: project ? { slug: project.slug, title: project.title } : null }
        }),
      }
    case 'counters': {
      const counted = await countAll(ctx)
      return { id, type: 'counters', counters: block.counters.map((name) => ({ name, value: counted[name] })) }
    }
    case 'rich_text':
      return { id, type: 'rich_text', body: words(block.body) }
  }
}

/** Three stand in a row of a wide screen: none is left alone in the last one. */
const wholeRows = <T>(cards: readonly T[]): T[] => (cards.length > 3 ? cards.slice(0, cards.length - (cards.length % 3)) : [...cards])

async function countListed(ctx: Ctx): Promise<number> {
  const [row] = await ctx.db.tx((tx) =>
    tx
      .select({ n: sql<number>`count(*)`.mapWith(Number) })
      .from(projects)
      .where(listedWhere(ctx)),
  )
  return row?.n ?? 0
}

async function countAll(ctx: Ctx): Promise<Record<Counter, number>> {
  const phase = phaseSql(ctx.now())
  const counted = (what: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${what})`.mapWith(Number)
  return ctx.db.tx(async (tx) => {
    const [row] = await tx
      .select({
        decisions: counted(sql`${phase} = 'results'`),
        open: counted(sql`${phase} = 'open'`),
        people: sql<number>`coalesce(sum(${projects.participants}), 0)`.mapWith(Number),
      })
      .from(projects)
      .where(listedWhere(ctx))
    const [given] = await tx
      .select({ answers: sum(surveys.responsesCount).mapWith(Number) })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(listedWhere(ctx))
    return { answers: given?.answers ?? 0, decisions: row?.decisions ?? 0, open_projects: row?.open ?? 0, people: row?.people ?? 0 }
  })
}
