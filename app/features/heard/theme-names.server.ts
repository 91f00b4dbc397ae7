import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themes } from '#app/server/db/schema/heard.ts'
import { loadProjectThemes, resolveMerges } from './theme-figures.server.ts'
import { findNextPosition } from './themes.server.ts'

/** By theme, what it is called in the viewer's language; one that was merged has the name of the other. */
export type ThemeNames = ReadonlyMap<string, string>

export async function loadThemeNames(ctx: Ctx, tx: Tx, projectId: string): Promise<ThemeNames> {
  const rows = await loadProjectThemes(ctx, tx, projectId)
  const titles = new Map(rows.map(({ id, title }) => [id, getTranslation(title, ctx.contentLanguage, ctx.site.locale)]))
  return new Map([...resolveMerges(rows)].map(([id, end]) => [id, titles.get(end) ?? '']))
}

export const listThemesNamed = (names: ThemeNames, name: string): string[] =>
  [...names].flatMap(([id, each]) => (each === name ? [id] : []))

/** Each name once, in order. */
export const nameThemes = (names: ThemeNames, ids: readonly string[]): string[] =>
  [...new Set(ids.flatMap((id) => names.get(id) ?? []))].sort()

/** A theme with this name; a new one if the project has none. Does not check permissions. */
export async function findOrAddTheme(ctx: Ctx, tx: Tx, projectId: string, name: string): Promise<string> {
  const rows = await loadProjectThemes(ctx, tx, projectId)
  const known = rows.find(({ title, mergedInto }) => mergedInto === null && Object.values(title).includes(name))
  if (known) return known.id
  const id = createId()
  const position = await findNextPosition(ctx, tx, projectId)
  await tx.insert(themes).values({ siteId: ctx.site.id, id, projectId, title: { [ctx.language]: name }, position })
  return id
}
