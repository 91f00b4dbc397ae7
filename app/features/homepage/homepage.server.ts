import { AppError } from '#app/lib/app-error.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createPageRecorder, findPublishedRevision, type RevisionKind } from '#app/features/revisions/revisions.server.ts'
import { requireHub } from '#app/features/hubs/hubs.server.ts'
import { resolvePictures } from './block-pictures.server.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { parseVideoSource } from '#app/lib/video-source.ts'
import { listBlockTexts } from './missing-texts.schema.ts'
import {
  DEFAULT_BLOCKS,
  type HomeBlock,
  type HomeBlockView,
  isEmptyBlock,
  pageContentSchema,
  readBlocks,
  toBlockView,
} from './homepage.schema.ts'
import { listFeatured, lookUpBlock } from './block-lookups.server.ts'

/** Versions of the homepages of the site and its hubs. */
export const HOMEPAGE: RevisionKind = {
  subject: 'homepage',
  table: homepageRevisions,
  read: (_, content) => requireValid(pageContentSchema, content, { at: '/content' }),
  texts: (content) => listBlockTexts(readBlocks(content)),
  recordChange: createPageRecorder('homepage'),
}

export interface HomeView {
  blocks: HomeBlockView[]
  now: string
}

/** The published homepage with each block's data for the viewer, or the default homepage. */
export const getHomepage = (ctx: Ctx): Promise<HomeView> => readPublic(ctx, ['homepage'], loadHomepage)

function loadHomepage(ctx: Ctx): Promise<HomeView> {
  return ctx.db.read(async (tx) => {
    const inside = withTx(ctx, tx)
    const stored = readBlocks((await findPublishedRevision(inside, HOMEPAGE, null))?.content)
    return loadPageView(inside, stored.length ? stored : DEFAULT_BLOCKS, null)
  })
}

type HubHomeView = HomeView & { title: LocalisedText }

/** A hub's published page, or null if it has none. @throws {AppError} `not-found` */
export const getHubHomepage = (ctx: Ctx, input: { slug: string }): Promise<HubHomeView | null> =>
  readPublic(ctx, ['hub-homepage', input.slug], (everyone) => loadHubHomepage(everyone, input))

function loadHubHomepage(ctx: Ctx, input: { slug: string }): Promise<HubHomeView | null> {
  return ctx.db.read(async (tx) => {
    const inside = withTx(ctx, tx)
    const hub = await requireHub(inside, input.slug)
    if (hub.publishedAt === null) throw new AppError('not-found')
    const stored = readBlocks((await findPublishedRevision(inside, HOMEPAGE, hub.id))?.content)
    if (!stored.length) return null
    return { ...(await loadPageView(inside, stored, hub.id)), title: localiseText(hub.title, ctx.contentLanguage, ctx.site.locale) }
  })
}

/** Block views of a page, without the empty ones. */
async function loadPageView(ctx: Ctx, blocks: readonly HomeBlock[], hubId: string | null): Promise<HomeView> {
  const filled = await loadBlockViews(ctx, blocks, hubId)
  return { blocks: filled.filter((view) => !isEmptyBlock(view)), now: ctx.now().toISOString() }
}

/** Loads the data of all blocks, for published and draft pages alike. */
export async function loadBlockViews(ctx: Ctx, blocks: readonly HomeBlock[], hubId: string | null): Promise<HomeBlockView[]> {
  const page = { hubId, featured: listFeatured(blocks) }
  const filled: HomeBlockView[] = []
  for (const block of blocks) {
    const data = await lookUpBlock(ctx, block, page)
    filled.push(toBlockView(block, data, (text) => localiseText(text, ctx.contentLanguage, ctx.site.locale)))
  }
  return resolvePictures(ctx, filled)
}

/** Origins that the page's content policy must allow to be framed: video hosts, and allowed domains of embeds on the page. */
export function listFrameOrigins(blocks: readonly HomeBlockView[]): string[] {
  return [
    ...new Set(
      blocks.flatMap((block) => {
        if (block.type === 'video') return parseVideoSource(block.address)?.origin ?? []
        return block.type === 'embed' ? (block.data.source?.origin ?? []) : []
      }),
    ),
  ]
}
