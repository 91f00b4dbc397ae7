import * as v from 'valibot'
import { languageSchema } from '#app/lib/language-schema.ts'
import type { Language } from '#app/lib/languages.ts'
import { safeHref } from '#app/lib/rich-text.ts'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import type { Words } from '#app/lib/words.ts'

/** The homepage as the editor keeps it: blocks one below the other. What a block shows is looked up when the page is read. */
export const GRID_FILTERS = ['open', 'upcoming', 'results', 'newest'] as const
export type GridFilter = (typeof GRID_FILTERS)[number]

export const COUNTERS = ['answers', 'decisions', 'open_projects', 'people'] as const
export type Counter = (typeof COUNTERS)[number]

const blockId = v.pipe(v.string(), v.minLength(1), v.maxLength(60))
const line = translatedSchema(160)
const href = v.pipe(
  v.string(),
  v.maxLength(500),
  v.check((value) => safeHref(value) !== undefined, 'not-a-link'),
)
const action = v.object({ label: translatedSchema(60), href })
/** Where a picture is: a file of this site. */
const picture = v.pipe(v.string(), v.maxLength(300), v.regex(/^\/(?!\/)[^\\\s]*$/))

export const homeBlockSchema = v.variant('type', [
  v.object({
    id: blockId,
    type: v.literal('hero'),
    title: line,
    text: translatedSchema(600),
    picture: v.nullish(picture),
    action: v.nullish(action),
    second: v.nullish(action),
  }),
  v.object({ id: blockId, type: v.literal('featured_project'), projectId: v.pipe(v.string(), v.uuid()) }),
  v.object({
    id: blockId,
    type: v.literal('project_grid'),
    title: line,
    filter: v.picklist(GRID_FILTERS),
    limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12)),
  }),
  v.object({ id: blockId, type: v.literal('hub_grid'), title: line }),
  v.object({
    id: blockId,
    type: v.literal('voices'),
    title: line,
    quotes: v.pipe(
      v.array(
        v.object({
          text: v.pipe(v.string(), v.maxLength(600)),
          language: languageSchema,
          projectId: v.nullish(v.pipe(v.string(), v.uuid())),
        }),
      ),
      v.maxLength(12),
    ),
  }),
  v.object({ id: blockId, type: v.literal('counters'), counters: v.pipe(v.array(v.picklist(COUNTERS)), v.maxLength(4)) }),
  v.object({ id: blockId, type: v.literal('rich_text'), body: translatedSchema(20_000) }),
])
export type HomeBlock = v.InferOutput<typeof homeBlockSchema>

interface ActionView {
  label: Words
  href: string
}

/** A block with all that it shows. Projects are cards of the projects feature, held by `Card` so that the route puts them together. */
export type HomeBlockView<Card, Hub> =
  | { id: string; type: 'hero'; title: Words; text: Words; picture: string | null; action: ActionView | null; second: ActionView | null }
  | { id: string; type: 'featured_project'; project: Card }
  | { id: string; type: 'project_grid'; title: Words; filter: GridFilter; projects: Card[]; total: number }
  | { id: string; type: 'hub_grid'; title: Words; hubs: Hub[] }
  | {
      id: string
      type: 'voices'
      title: Words
      quotes: { text: string; language: Language; project: { slug: string; title: Words } | null }[]
    }
  | { id: string; type: 'counters'; counters: { name: Counter; value: number }[] }
  | { id: string; type: 'rich_text'; body: Words }

/** What a site without a homepage of its own shows: who it is, what is open, who asks. Texts come from the page. */
export const DEFAULT_BLOCKS: HomeBlock[] = [
  { id: 'default-hero', type: 'hero', title: {}, text: {} },
  { id: 'default-open', type: 'project_grid', title: {}, filter: 'open', limit: 6 },
  { id: 'default-hubs', type: 'hub_grid', title: {} },
  { id: 'default-counters', type: 'counters', counters: ['answers', 'decisions', 'open_projects'] },
]
