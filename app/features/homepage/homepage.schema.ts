import * as v from 'valibot'
import type { Translated } from '#app/lib/translated.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { type Fields, showFields, type ShownOf, type StoredOf } from './block-fields.ts'
import { callToAction } from './blocks/call-to-action/call-to-action.block.ts'
import { contact } from './blocks/contact/contact.block.ts'
import { counters } from './blocks/counters/counters.block.ts'
import { divider } from './blocks/divider/divider.block.ts'
import { embed } from './blocks/embed/embed.block.ts'
import { faq } from './blocks/faq/faq.block.ts'
import { featuredProject } from './blocks/featured-project/featured-project.block.ts'
import { hero } from './blocks/hero/hero.block.ts'
import { hubGrid } from './blocks/hub-grid/hub-grid.block.ts'
import { openData } from './blocks/open-data/open-data.block.ts'
import { pictureText } from './blocks/picture-text/picture-text.block.ts'
import { projectGrid } from './blocks/project-grid/project-grid.block.ts'
import { projectMap } from './blocks/project-map/project-map.block.ts'
import { quickPoll } from './blocks/quick-poll/quick-poll.block.ts'
import { reportDecisions, reportFigure, reportMethod, reportNext, reportPeople, reportTheme } from './blocks/report/report.blocks.ts'
import { richText } from './blocks/rich-text/rich-text.block.ts'
import { signUp } from './blocks/sign-up/sign-up.block.ts'
import { surveyTeaser } from './blocks/survey-teaser/survey-teaser.block.ts'
import { timeline } from './blocks/timeline/timeline.block.ts'
import { updates } from './blocks/updates/updates.block.ts'
import { video } from './blocks/video/video.block.ts'
import { voices } from './blocks/voices/voices.block.ts'
import type { BlockKind } from './define-block.ts'
import { migrateContent } from './migrate-content.ts'

/** Kinds of block that homepages and newsletters have, in the order the editor lists them. */
const PAGE_BLOCKS = {
  hero,
  rich_text: richText,
  picture_text: pictureText,
  call_to_action: callToAction,
  featured_project: featuredProject,
  project_grid: projectGrid,
  project_map: projectMap,
  survey_teaser: surveyTeaser,
  quick_poll: quickPoll,
  open_data: openData,
  updates,
  timeline,
  counters,
  voices,
  hub_grid: hubGrid,
  faq,
  video,
  embed,
  contact,
  sign_up: signUp,
  divider,
} as const

/** Every kind of block. */
export const BLOCKS = {
  ...PAGE_BLOCKS,
  report_figure: reportFigure,
  report_theme: reportTheme,
  report_people: reportPeople,
  report_method: reportMethod,
  report_decisions: reportDecisions,
  report_next: reportNext,
} as const
export type BlockType = keyof typeof BLOCKS
export const BLOCK_TYPES: readonly BlockType[] = Object.keys(PAGE_BLOCKS) as (keyof typeof PAGE_BLOCKS)[]

/** Kinds of block that a project's report has, in the order its editor lists them. */
export const REPORT_BLOCK_TYPES = [
  'rich_text',
  'report_figure',
  'report_theme',
  'report_people',
  'report_method',
  'timeline',
  'report_decisions',
  'report_next',
  'picture_text',
] as const satisfies readonly BlockType[]

type KindOf<Type extends BlockType> = (typeof BLOCKS)[Type]
type FieldsOf<Type extends BlockType> = KindOf<Type>['fields']
export type DataOf<Type extends BlockType> =
  KindOf<Type> extends BlockKind<Type, Fields, infer Data> ? Data : Parameters<KindOf<Type>['isEmpty']>[1]

/** Data of a block of any kind; null if the block shows only its own text. */
export type BlockData = { [Type in BlockType]: DataOf<Type> }[BlockType]

/** A block as stored and edited. */
export type HomeBlock<Type extends BlockType = BlockType> = Type extends BlockType
  ? { id: string; type: Type } & StoredOf<FieldsOf<Type>>
  : never
/** A block as the page shows it: localised texts, and its data. */
export type HomeBlockView<Type extends BlockType = BlockType> = Type extends BlockType
  ? { id: string; type: Type; data: DataOf<Type> } & ShownOf<FieldsOf<Type>>
  : never

/** Version of stored content. Older content is migrated when it is read. */
export const CONTENT_SCHEMA = 2
const MAX_BLOCKS = 200

const isBlockType = (type: unknown): type is BlockType => typeof type === 'string' && Object.hasOwn(BLOCKS, type)
const readType = (block: unknown): unknown => (typeof block === 'object' && block !== null && 'type' in block ? block.type : undefined)

export const homeBlockSchema: v.GenericSchema<unknown, HomeBlock> = v.lazy((block) => {
  const type = readType(block)
  return (isBlockType(type) ? BLOCKS[type].schema : v.object({ type: v.picklist(BLOCK_TYPES) })) as v.GenericSchema<unknown, HomeBlock>
})

/** Validates content of any page of blocks before it is saved. */
export const homeContentSchema = v.object({
  schema: v.literal(CONTENT_SCHEMA),
  blocks: v.pipe(
    v.array(homeBlockSchema),
    v.maxLength(MAX_BLOCKS),
    v.check((blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length, 'taken'),
  ),
})

const createContentSchema = (types: readonly BlockType[]) =>
  v.pipe(
    homeContentSchema,
    v.check(({ blocks }) => blocks.every(({ type }) => types.includes(type)), 'not-a-choice'),
  )
export const pageContentSchema = createContentSchema(BLOCK_TYPES)
export const reportContentSchema = createContentSchema(REPORT_BLOCK_TYPES)

/** Migrates and parses stored content. Blocks that cannot be parsed are dropped, so that one bad block never breaks the page. */
export function readBlocks(content: unknown): HomeBlock[] {
  return migrateContent(content).flatMap((block) => {
    const read = v.safeParse(homeBlockSchema, block)
    return read.success ? [read.output] : []
  })
}

export function toBlockView(block: HomeBlock, data: BlockData, words: (text: Translated) => LocalisedText): HomeBlockView {
  const kind = BLOCKS[block.type] as unknown as BlockKind
  return { id: block.id, type: block.type, data, ...showFields(kind.fields, block, words) } as unknown as HomeBlockView
}

/** True if the block shows nothing, at least to this viewer. */
export function isEmptyBlock(view: HomeBlockView): boolean {
  return (BLOCKS[view.type] as unknown as BlockKind).isEmpty(view, view.data)
}

export function createBlock(type: BlockType, id: string): HomeBlock {
  const { fields } = BLOCKS[type] as unknown as BlockKind
  return { id, type, ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.empty])) } as HomeBlock
}

/** Default homepage of a site that has published none. The components supply the texts. */
export const DEFAULT_BLOCKS: HomeBlock[] = [
  createBlock('hero', 'default-hero'),
  createBlock('project_grid', 'default-open'),
  createBlock('hub_grid', 'default-hubs'),
  { id: 'default-counters', type: 'counters', counters: ['answers', 'decisions', 'open_projects'] },
]
