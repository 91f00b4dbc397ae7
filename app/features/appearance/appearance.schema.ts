import * as v from 'valibot'
import { HEX_PATTERN, type Hex } from '#app/lib/color.ts'
import { toSafeHref } from '#app/lib/rich-text.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { CORNER_PATTERN, FONT_PAIRS, SCHEMES } from '#app/ui/theme.ts'

const hexSchema = v.pipe(v.string(), v.regex(HEX_PATTERN, 'wrong-format')) as v.GenericSchema<string, Hex>
const ownFileSchema = v.nullish(v.pipe(v.string(), v.maxLength(300), v.regex(/^\/(?!\/)[\w./-]+$/, 'wrong-format')), null)
const hrefSchema = v.pipe(
  v.string(),
  v.maxLength(500),
  v.check((value) => toSafeHref(value) !== undefined, 'not-a-link'),
)

export const HEADER_STYLES = ['paper', 'deep'] as const
const MAX_LINKS = 7

/** How a site looks: design tokens, logo and favicon, header navigation and footer. */
export const appearanceSchema = v.object({
  primary: v.optional(hexSchema, '#14516b'),
  accent: v.optional(hexSchema, '#d94f35'),
  paper: v.optional(hexSchema, '#faf8f3'),
  ink: v.optional(hexSchema, '#16202a'),
  corner: v.optional(v.pipe(v.string(), v.regex(CORNER_PATTERN, 'wrong-format')), '1.25rem'),
  fonts: v.optional(v.picklist(FONT_PAIRS), 'parley'),
  /** `both` follows the reader's own setting. */
  scheme: v.optional(v.picklist(SCHEMES), 'both'),
  /** Paths of the site's own files: the logo beside its name, and the browser tab's icon. */
  mark: ownFileSchema,
  favicon: ownFileSchema,
  header: v.optional(v.picklist(HEADER_STYLES), 'paper'),
  /** Main navigation. If empty: projects, departments, results, search. */
  navigation: v.optional(
    v.pipe(
      v.array(v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(60)), label: createTranslatedSchema(40), href: hrefSchema })),
      v.maxLength(MAX_LINKS),
    ),
    [],
  ),
  /** The organisation behind the site, shown in the footer of every page. */
  footer: v.optional(createTranslatedSchema(400), {}),
})
export type Appearance = v.InferOutput<typeof appearanceSchema>

/** Reads stored tokens. A token that cannot be read falls back to Parley's default. */
export function readAppearance(tokens: unknown): Appearance {
  const given = typeof tokens === 'object' && tokens !== null ? (tokens as Record<string, unknown>) : {}
  const understood = Object.entries(appearanceSchema.entries).flatMap(([name, schema]) => {
    const read = v.safeParse(schema, given[name])
    return read.success ? [[name, read.output]] : []
  })
  return v.parse(appearanceSchema, Object.fromEntries(understood))
}
