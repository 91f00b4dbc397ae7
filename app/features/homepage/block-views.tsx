import { type ComponentType, createElement, lazy, type LazyExoticComponent, type ReactNode } from 'react'
import type { BlockProps, PageParts } from './block-parts.tsx'
import { Counters } from './blocks/counters/Counters.tsx'
import { Divider } from './blocks/divider/Divider.tsx'
import { FeaturedProject } from './blocks/featured-project/FeaturedProject.tsx'
import { HeroBlock } from './blocks/hero/HeroBlock.tsx'
import { HubGrid } from './blocks/hub-grid/HubGrid.tsx'
import { ProjectGrid } from './blocks/project-grid/ProjectGrid.tsx'
import { RichTextBlock } from './blocks/rich-text/RichTextBlock.tsx'
import { Voices } from './blocks/voices/Voices.tsx'
import type { BlockType, HomeBlockView } from './homepage.schema.ts'

type View<Type extends BlockType> = ComponentType<BlockProps<Type>>

/** Blocks of nearly every page, in the page's own file. */
const COMMON: { readonly [Type in BlockType]?: View<Type> } = {
  counters: Counters,
  divider: Divider,
  featured_project: FeaturedProject,
  hero: HeroBlock,
  hub_grid: HubGrid,
  project_grid: ProjectGrid,
  rich_text: RichTextBlock,
  voices: Voices,
}

/** The others are files of their own, which only pages that show them load. */
const RARE = {
  call_to_action: () => import('./blocks/call-to-action/CallToAction.tsx'),
  contact: () => import('./blocks/contact/Contact.tsx'),
  embed: () => import('./blocks/embed/Embed.tsx'),
  faq: () => import('./blocks/faq/Faq.tsx'),
  open_data: () => import('./blocks/open-data/OpenData.tsx'),
  picture_text: () => import('./blocks/picture-text/PictureText.tsx'),
  project_map: () => import('./blocks/project-map/ProjectMap.tsx'),
  sign_up: () => import('./blocks/sign-up/SignUp.tsx'),
  survey_teaser: () => import('./blocks/survey-teaser/SurveyTeaser.tsx'),
  timeline: () => import('./blocks/timeline/Timeline.tsx'),
  updates: () => import('./blocks/updates/Updates.tsx'),
  video: () => import('./blocks/video/Video.tsx'),
} as const satisfies { readonly [Type in BlockType]?: () => Promise<{ default: View<Type> }> }

type AnyView = ComponentType<BlockProps<BlockType>>
const ready = new Map<string, AnyView>()
const lazies = new Map<string, LazyExoticComponent<AnyView>>()
const loaderOf = (type: BlockType) => (RARE as Partial<Record<BlockType, () => Promise<{ default: unknown }>>>)[type]

/**
 * Loads what the page's blocks need, so that they render at once: on the server into the page's HTML. In the browser a page that came as
 * HTML keeps it while the files are on their way.
 */
export async function prepareBlocks(blocks: readonly { type: BlockType }[]): Promise<void> {
  const types = new Set(blocks.map(({ type }) => type))
  await Promise.all(
    [...types].map(async (type) => {
      const load = loaderOf(type)
      if (load && !ready.has(type)) ready.set(type, (await load()).default as AnyView)
    }),
  )
}

/** The component of a kind of block; one that is not here yet suspends until it is. */
export function viewOf(type: BlockType): AnyView | undefined {
  const known = (COMMON[type] as AnyView | undefined) ?? ready.get(type) ?? lazies.get(type)
  const load = loaderOf(type)
  if (known || !load) return known
  const fresh = lazy(load as () => Promise<{ default: AnyView }>)
  lazies.set(type, fresh)
  return fresh
}

/** A block as it looks on its page. */
export function drawBlock(block: HomeBlockView, page: PageParts): ReactNode {
  const view = viewOf(block.type)
  return view && createElement(view, { block, page })
}
