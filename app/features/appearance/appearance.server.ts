import { eq } from 'drizzle-orm'
import { createPageRecorder, type RevisionKind } from '#app/features/revisions/revisions.server.ts'
import { findContrastFaults } from '#app/lib/contrast.ts'
import { requireValid } from '#app/lib/validate.ts'
import { appearanceRevisions } from '#app/server/db/schema/homepage.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { findMissingLookTexts } from './appearance-checks.ts'
import { appearanceSchema, readAppearance } from './appearance.schema.ts'
import { findColorAtFault, findNearestPalette } from './nearest-palette.ts'

/**
 * Versions of the site's look. Unreadable text is not a matter of taste: a palette with any pair below WCAG AA is not published, and the
 * error offers the nearest colour that passes. The published look is stored in the site's row.
 */
export const APPEARANCE: RevisionKind = {
  subject: 'appearance',
  table: appearanceRevisions,
  read: (_, tokens) => requireValid(appearanceSchema, tokens, { at: '/tokens' }),
  obstacles: ({ site }, tokens) => {
    const appearance = readAppearance(tokens)
    const { primary, accent, paper, ink } = appearance
    const palette = { primary, accent, paper, ink }
    const nearest = findNearestPalette(palette)
    const contrast = findContrastFaults(palette).map((fault) => {
      const name = findColorAtFault(fault)
      return {
        code: 'contrast-too-low' as const,
        pointer: `/tokens/${name}`,
        values: {
          foreground: fault.foreground,
          ground: fault.ground,
          scheme: fault.scheme,
          ratio: Math.floor(fault.ratio * 100) / 100,
          needed: fault.needed,
          ...(nearest ? { nearest: nearest[name] } : {}),
        },
      }
    })
    const untranslated = findMissingLookTexts(appearance, site.languages).map(({ name, pointer, language }) => ({
      code: 'translation-missing' as const,
      name,
      pointer,
      values: { language },
    }))
    return [...contrast, ...untranslated]
  },
  recordChange: createPageRecorder('appearance'),
  onChange: async (ctx, tx, published) => {
    await tx
      .update(sites)
      .set({ theme: published?.content ?? {} })
      .where(eq(sites.id, ctx.site.id))
    ctx.runtime.sites.forget(ctx.site.id)
  },
}
