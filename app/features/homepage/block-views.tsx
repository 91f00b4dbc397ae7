import { type ComponentType, createElement, type ReactNode } from 'react'
import { splitViews } from '#app/ui/split-views.ts'
import type { BlockProps, PageParts } from './block-parts.tsx'
import { Counters } from './blocks/counters/Counters.tsx'
import { Divider } from './blocks/divider/Divider.tsx'
import { FeaturedProject } from './blocks/featured-project/FeaturedProject.tsx'
import { HeroBlock } from './blocks/hero/HeroBlock.tsx'
import { HubGrid } from './blocks/hub-grid/HubGrid.tsx'
import { ProjectGrid } from './blocks/project-grid/ProjectGrid.tsx'
import { Voices } from './blocks/voices/Voices.tsx'
import type { OpenDataData } from './blocks/open-data/open-data.block.ts'
import type { BlockType, HomeBlockView } from './homepage.schema.ts'

type View<Type extends BlockType> = ComponentType<BlockProps<Type>>

/** Blocks found on nearly every page, bundled with it. */
const EAGER_VIEWS: { readonly [Type in BlockType]?: View<Type> } = {
  counters: Counters,
  divider: Divider,
  featured_project: FeaturedProject,
  hero: HeroBlock,
  hub_grid: HubGrid,
  project_grid: ProjectGrid,
  voices: Voices,
}

const loadReportBlock = () => import('./blocks/report/ReportBlock.tsx')

/** Separate chunks, loaded only by pages that show them. */
const LAZY_VIEWS = {
  call_to_action: () => import('./blocks/call-to-action/CallToAction.tsx'),
  contact: () => import('./blocks/contact/Contact.tsx'),
  embed: () => import('./blocks/embed/Embed.tsx'),
  faq: () => import('./blocks/faq/Faq.tsx'),
  open_data: () => import('./blocks/open-data/OpenData.tsx'),
  picture_text: () => import('./blocks/picture-text/PictureText.tsx'),
  project_map: () => import('./blocks/project-map/ProjectMap.tsx'),
  quick_poll: () => import('./blocks/quick-poll/QuickPollBlock.tsx'),
  report_decisions: loadReportBlock,
  report_figure: loadReportBlock,
  report_method: loadReportBlock,
  report_next: loadReportBlock,
  report_people: loadReportBlock,
  report_theme: loadReportBlock,
  rich_text: () => import('./blocks/rich-text/RichTextBlock.tsx'),
  sign_up: () => import('./blocks/sign-up/SignUp.tsx'),
  survey_teaser: () => import('./blocks/survey-teaser/SurveyTeaser.tsx'),
  timeline: () => import('./blocks/timeline/Timeline.tsx'),
  updates: () => import('./blocks/updates/Updates.tsx'),
  video: () => import('./blocks/video/Video.tsx'),
} as const satisfies { readonly [Type in BlockType]?: () => Promise<{ default: View<Type> }> }

type AnyView = ComponentType<BlockProps<BlockType>>
type LazyBlockType = keyof typeof LAZY_VIEWS
const lazyViews = splitViews<LazyBlockType, BlockProps<BlockType>>(
  LAZY_VIEWS as { readonly [Type in LazyBlockType]: () => Promise<{ default: AnyView }> },
)
const isLazyType = (type: BlockType): type is LazyBlockType => Object.hasOwn(LAZY_VIEWS, type)

/** Preloads the components of the page's blocks, and the code that draws its charts. */
export async function prepareBlocks(blocks: readonly { type: BlockType; data?: unknown }[]): Promise<void> {
  await lazyViews.prepare(blocks.flatMap(({ type }) => (isLazyType(type) ? [type] : [])))
  const figures = blocks.flatMap((block) => (block.type === 'open_data' ? ((block.data as OpenDataData | undefined)?.figure ?? []) : []))
  if (figures.length > 0) await (await import('#app/ui/data-figure.tsx')).prepareDrawings(figures)
}

export function findView(type: BlockType): AnyView | undefined {
  return (EAGER_VIEWS[type] as AnyView | undefined) ?? (isLazyType(type) ? lazyViews.view(type) : undefined)
}

export function renderBlock(block: HomeBlockView, page: PageParts): ReactNode {
  const view = findView(block.type)
  return view && createElement(view, { block, page })
}
