import * as v from 'valibot'
import { requireHub } from '#app/features/hubs/hubs.server.ts'
import { type Appearance, readAppearance } from '#app/features/appearance/appearance.schema.ts'
import { APPEARANCE } from '#app/features/appearance/appearance.server.ts'
import { openDraftLink } from '#app/features/revisions/draft-links.server.ts'
import { canEditScope } from '#app/features/revisions/revisions.policy.server.ts'
import { findDraftRevision, findPublishedRevision } from '#app/features/revisions/revisions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText, type LocalisedText } from '#app/lib/localised-text.ts'
import { createSampleParticipant, VISITOR } from '#app/server/auth/viewer.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { HOMEPAGE } from './homepage.server.ts'
import { type BlockData, DEFAULT_BLOCKS, type HomeBlock, homeBlockSchema, readBlocks } from './homepage.schema.ts'
import { listFeatured, lookUpBlock, type PageFacts } from './block-lookups.server.ts'
import type { PreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'

export interface PreviewRequest extends PreviewSearch {
  /** Slug of the hub that the page belongs to; null for the site's homepage. */
  hub: string | null
}

export interface PreviewView {
  blocks: HomeBlock[]
  /** Data of each block by its id. */
  data: Record<string, BlockData>
  now: string
  site: { name: string; tagline: LocalisedText }
  /** When the shared link expires; null for editors. */
  sharedUntil: string | null
  /** The drafted look, if the link shares the look. */
  tokens: Appearance | null
}

/**
 * Loads the draft as the chosen kind of reader would see it, for editors of the page and anyone with a link to it.
 * @throws {AppError} `not-found` for everybody else
 */
export function getPreview(ctx: Ctx, request: PreviewRequest): Promise<PreviewView> {
  return ctx.db.read(async (tx) => {
    const inside = withTx(ctx, tx)
    const { hub, link } = await requirePreviewPlace(inside, request)
    const hubId = hub?.id ?? null
    const isLook = link?.subject === 'appearance'
    const read = request.published || isLook ? findPublishedRevision : findDraftRevision
    const stored = readBlocks((await read(inside, HOMEPAGE, hubId))?.content)
    const blocks = stored.length || hubId ? stored : DEFAULT_BLOCKS
    const { site, contentLanguage: language } = ctx
    return {
      blocks,
      data: await lookUpBlocks(createReaderContext(inside, request), blocks, { hubId, featured: listFeatured(blocks) }),
      now: createReaderContext(inside, request).now().toISOString(),
      site: hub
        ? { name: localiseText(hub.title, language, site.locale).text, tagline: localiseText(hub.summary, language, site.locale) }
        : { name: site.name, tagline: localiseText(site.tagline, language, site.locale) },
      sharedUntil: link?.expiresAt.toISOString() ?? null,
      tokens: isLook ? readAppearance((await findDraftRevision(inside, APPEARANCE, null))?.content) : null,
    }
  })
}

/** Data of unsaved blocks. Blocks that cannot be parsed get none. */
export function getPreviewData(
  ctx: Ctx,
  request: PreviewRequest & { blocks: unknown[]; featured: string[] },
): Promise<Record<string, BlockData>> {
  return ctx.db.read(async (tx) => {
    const inside = withTx(ctx, tx)
    const { hub } = await requirePreviewPlace(inside, request)
    const facts = { hubId: hub?.id ?? null, featured: request.featured }
    return lookUpBlocks(createReaderContext(inside, request), parseBlocks(request.blocks), facts)
  })
}

/** Checks that the viewer may edit the page or holds a valid link to its draft. A link to the look opens the site's homepage. */
async function requirePreviewPlace(ctx: Ctx, { hub: slug, link: token }: PreviewRequest) {
  const hub = slug === null ? null : await requireHub(ctx, slug)
  const hubId = hub?.id ?? null
  if (token === undefined) {
    if (!canEditScope(ctx, hubId)) throw new AppError('not-found')
    return { hub, link: undefined }
  }
  const link = await openDraftLink(ctx, token)
  if (!link || link.projectId !== null || link.hubId !== hubId) throw new AppError('not-found')
  return { hub, link }
}

/** Unsaved blocks, without those that cannot be parsed. */
export const parseBlocks = (blocks: readonly unknown[]): HomeBlock[] =>
  blocks.flatMap((block) => {
    const read = v.safeParse(homeBlockSchema, block)
    return read.success ? [read.output] : []
  })

/** The data of each block by its id. */
export async function lookUpBlocks(ctx: Ctx, blocks: readonly HomeBlock[], page: PageFacts): Promise<Record<string, BlockData>> {
  const data: Record<string, BlockData> = {}
  for (const block of blocks) data[block.id] = await lookUpBlock(ctx, block, page)
  return data
}

/** The same site and language, but viewed by another kind of reader, and optionally at another time. */
export function createReaderContext(ctx: Ctx, { as, at }: PreviewSearch): Ctx {
  const moment = at ? new Date(at) : undefined
  return {
    ...ctx,
    viewer: as === 'member' ? ctx.viewer : as === 'participant' ? createSampleParticipant() : VISITOR,
    now: () => moment ?? ctx.now(),
  }
}
