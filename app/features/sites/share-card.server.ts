import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { and, eq, isNotNull, lte } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { mixColors } from '#app/lib/color.ts'
import { escapeXml } from '#app/lib/escape-html.ts'
import { isSlug } from '#app/lib/slug.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { loadSharp } from '#app/server/load-sharp.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { readThemePalette } from '#app/ui/theme.ts'
import { unpackWoff } from '#app/server/unpack-woff.ts'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 84
const MAX_TITLE_LENGTH = 140
const FAMILY = 'Source Serif 4 SemiBold'

/** Title of a card's subject if it is public; undefined if there is no such thing. */
async function findTitle(ctx: Ctx, kind: string, slug: string): Promise<string | undefined> {
  const t = getTranslator(ctx.language, 'participant')
  if (kind === 'site') return slug === 'home' ? t('home.title', { site: ctx.site.name }) : undefined
  if (!isSlug(slug)) return undefined
  const [row] = await ctx.db.read((tx): Promise<{ title: Translated }[]> => {
    switch (kind) {
      case 'project':
        return tx
          .select({ title: projects.title })
          .from(projects)
          .where(and(listedWhere({ ...ctx, viewer: VISITOR }), eq(projects.slug, slug)))
      case 'hub':
        return tx
          .select({ title: hubs.title })
          .from(hubs)
          .where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.slug, slug), isNotNull(hubs.publishedAt)))
      case 'page':
        return tx
          .select({ title: pages.title })
          .from(pages)
          .where(and(eq(pages.siteId, ctx.site.id), eq(pages.slug, slug), isNotNull(pages.publishedAt), lte(pages.publishedAt, ctx.now())))
      default:
        return Promise.resolve([])
    }
  })
  return row && localiseText(row.title, ctx.contentLanguage, ctx.site.locale).text
}

/** The preview picture for shared links: the title in the site's colours, 1200 by 630. */
export async function drawShareCard(ctx: Ctx, input: { kind: string; slug: string }): Promise<Buffer | undefined> {
  const title = await findTitle(ctx, input.kind, input.slug)
  if (title === undefined) return undefined
  const palette = readThemePalette(ctx.site.theme)
  const deep = mixColors(palette.primary, 72, '#000000')
  const [words, name] = [await drawText(ctx, truncateTitle(title), 66), await drawText(ctx, ctx.site.name, 34)]
  const sharp = await loadSharp()
  const { height } = await sharp(words).metadata()
  return sharp(Buffer.from(buildBackground(deep, palette.accent)))
    .composite([
      { input: words, left: MARGIN, top: Math.max(64, Math.round((HEIGHT - 110 - height) / 2)) },
      { input: name, left: MARGIN + 74, top: HEIGHT - 104 },
    ])
    .png({ compressionLevel: 9, palette: true, colours: 128 })
    .toBuffer()
}

const truncateTitle = (title: string) => (title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH - 1)}…` : title)

/** The motif: speech bubbles on the site's dark colour, and its logo. */
const buildBackground = (deep: string, accent: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="100%" height="100%" fill="${deep}"/>
<g fill="#fff"><path opacity=".06" d="M820-60h300a90 90 0 0 1 90 90v150a90 90 0 0 1-90 90H736V30a90 90 0 0 1 84-90Z"/>
<path opacity=".07" d="M1010 300h230v250H940V370a70 70 0 0 1 70-70Z"/>
<path opacity=".08" d="M760 470h120a50 50 0 0 1 50 50v110H710V520a50 50 0 0 1 50-50Z"/></g>
<rect x="${MARGIN}" y="0" width="120" height="14" fill="${accent}"/>
<g transform="translate(${MARGIN} ${HEIGHT - 112}) scale(1.4)"><path d="M12 0h16a12 12 0 0 1 12 12v16a12 12 0 0 1-12 12H2a2 2 0 0 1-2-2V12A12 12 0 0 1 12 0Z" fill="#fff"/>
<path d="M9 24.5c6-8 10 3 15.5-3.5S29 14 31.5 14" fill="none" stroke="${deep}" stroke-width="3.2" stroke-linecap="round"/></g>
</svg>`

/** White text on a transparent background, wrapped. Uses the project's own fonts, so that it looks the same on a machine without any. */
async function drawText({ runtime }: Ctx, text: string, size: number): Promise<Buffer> {
  const { latin } = await loadFonts(runtime.env.DATA_DIR)
  const sharp = await loadSharp()
  return sharp({
    text: {
      text: `<span foreground="white">${escapeXml(text)}</span>`,
      font: `${FAMILY}, ${size}`,
      fontfile: latin,
      width: WIDTH - 2 * MARGIN - 60,
      wrap: 'word-char',
      rgba: true,
      dpi: 72,
    },
  })
    .png()
    .toBuffer()
}

let unpackedFonts: Promise<{ latin: string }> | undefined
const loadFonts = (dataDir: string) => (unpackedFonts ??= unpackFonts(join(dataDir, 'cache', 'fonts')))

/** Unpacks both subsets of the typeface for the drawing library and registers the second as a fallback for the first. */
async function unpackFonts(folder: string): Promise<{ latin: string }> {
  const { resolve } = createRequire(import.meta.url)
  await mkdir(folder, { recursive: true })
  const unpackFont = async (subset: string) => {
    const file = join(folder, `${subset}.ttf`)
    const woff = await readFile(resolve(`@fontsource/source-serif-4/files/source-serif-4-${subset}-600-normal.woff`))
    await writeFile(file, unpackWoff(woff))
    return file
  }
  const [latin, extended] = await Promise.all([unpackFont('latin'), unpackFont('latin-ext')])
  const sharp = await loadSharp()
  await sharp({ text: { text: 'ŵ', font: `${FAMILY}, 20`, fontfile: extended } })
    .png()
    .toBuffer()
  return { latin }
}

export async function serveShareCard({
  context,
  params,
}: {
  context: RequestContext
  params: { kind: string; slug: string }
}): Promise<Response> {
  const card = await drawShareCard(context.ctx, params)
  if (!card) return new Response(null, { status: 404 })
  return new Response(new Uint8Array(card), { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' } })
}
