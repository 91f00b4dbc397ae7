import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { messageLinks } from '#app/server/db/schema/mail.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

const CODE_LENGTH = 10
const CODE_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const URL_IN_TEXT = /https?:\/\/[^\s<>"“”«»]+/g
/** A full stop or bracket after an address belongs to the sentence. */
const AFTER_URL = /[.,;:!?)\]’']+$/

const createCode = (): string => Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_LETTERS[byte & 31]).join('')

/** Short addresses for the links of a message, and the links themselves to be stored with it. Only web addresses are counted. */
export function createLinkCollector(ctx: Ctx) {
  const codes = new Map<string, string>()
  return {
    shorten: (to: string): string => {
      const url = URL.parse(to)
      if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return to
      const code = codes.get(url.href) ?? createCode()
      codes.set(url.href, code)
      return buildShortUrl(ctx, code)
    },
    store: async (tx: Tx, campaignId: string, language: ContentLanguage): Promise<void> => {
      if (codes.size > 0)
        await insertLinks(
          ctx,
          tx,
          campaignId,
          [...codes].map(([url, code]) => ({ language, url, code })),
        )
    },
  }
}

const toHref = (to: string): string => URL.parse(to)?.href ?? to
const buildShortUrl = (ctx: Ctx, code: string): string => buildSiteUrl(ctx, `/l/${code}`)

/** A text with each web address in it replaced. */
export const replaceLinks = (text: string, shorten: (url: string) => string): string =>
  text.replace(URL_IN_TEXT, (found) => {
    const after = AFTER_URL.exec(found)?.[0] ?? ''
    return shorten(found.slice(0, found.length - after.length)) + after
  })

/** Texts with short addresses for their links: the same link has one in all texts of a campaign and language. */
export async function shortenTexts<Text extends { body: string; language: ContentLanguage }>(
  ctx: Ctx,
  tx: Tx,
  campaignId: string,
  texts: readonly Text[],
): Promise<Text[]> {
  const wanted = new Map<string, { language: ContentLanguage; url: string; code: string }>()
  const keep = (language: ContentLanguage, to: string): string => {
    const url = toHref(to)
    const key = `${language} ${url}`
    if (!wanted.has(key)) wanted.set(key, { language, url, code: createCode() })
    return to
  }
  for (const { body, language } of texts) replaceLinks(body, (to) => keep(language, to))
  if (wanted.size === 0) return [...texts]
  await insertLinks(ctx, tx, campaignId, [...wanted.values()])
  const stored = await tx
    .select({ code: messageLinks.code, language: messageLinks.language, url: messageLinks.url })
    .from(messageLinks)
    .where(and(eq(messageLinks.siteId, ctx.site.id), eq(messageLinks.campaignId, campaignId)))
  const codes = new Map(stored.map(({ language, url, code }) => [`${language} ${url}`, code]))
  return texts.map((text) => ({
    ...text,
    body: replaceLinks(text.body, (to) => {
      const code = codes.get(`${text.language} ${toHref(to)}`)
      return code ? buildShortUrl(ctx, code) : to
    }),
  }))
}

/** Those that the campaign has already keep their code. */
async function insertLinks(
  ctx: Ctx,
  tx: Tx,
  campaignId: string,
  links: readonly { language: ContentLanguage; url: string; code: string }[],
): Promise<void> {
  const rows = links.map((link) => ({ ...link, siteId: ctx.site.id, id: createId(), campaignId, createdAt: ctx.now() }))
  await tx.insert(messageLinks).values(rows).onConflictDoNothing()
}

/** Where a short address leads: only to a link of a message. */
export async function findLinkTarget(ctx: Ctx, code: string): Promise<string | undefined> {
  const [link] = await ctx.db.read((tx) =>
    tx
      .select({ url: messageLinks.url })
      .from(messageLinks)
      .where(and(eq(messageLinks.siteId, ctx.site.id), eq(messageLinks.code, code))),
  )
  return link?.url
}
