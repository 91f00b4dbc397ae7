import { memo, type ReactNode, Suspense } from 'react'
import type { PageParts } from './block-parts.tsx'
import { renderBlock } from './block-views.tsx'
import type { HomeBlockView } from './homepage.schema.ts'

interface HomePageProps extends Omit<PageParts, 'overlap' | 'level'> {
  blocks: readonly HomeBlockView[]
  /** Wraps each block; the preview uses it to mark where each block is. */
  around?: (block: HomeBlockView, shown: ReactNode) => ReactNode
}

export function HomePage({ blocks, around = (_, shown) => shown, ...parts }: HomePageProps) {
  return (
    <>
      {blocks.every((block) => block.type !== 'hero') && <h1 className="visually-hidden">{parts.site.name}</h1>}
      {blocks.map((block, at) => (
        <WrappedBlock
          key={block.id}
          block={block}
          around={around}
          parts={parts}
          level={blocks.findIndex(({ type }) => type === 'hero') < at ? 2 : 1}
          overlap={
            block.type === 'hero'
              ? blocks[at + 1]?.type === 'featured_project'
              : block.type === 'featured_project' && blocks[at - 1]?.type === 'hero'
          }
        />
      ))}
    </>
  )
}

interface WrappedBlockProps {
  block: HomeBlockView
  overlap: boolean
  level: 1 | 2
  around: NonNullable<HomePageProps['around']>
  parts: Omit<PageParts, 'overlap' | 'level'>
}

/** Memoised: a keystroke in one of a hundred blocks renders only that block. */
const WrappedBlock = memo(
  function Around({ block, overlap, level, around, parts }: WrappedBlockProps) {
    return around(block, <Suspense>{renderBlock(block, { ...parts, overlap, level })}</Suspense>)
  },
  (before, after) =>
    before.block === after.block &&
    before.overlap === after.overlap &&
    before.level === after.level &&
    before.parts.site === after.parts.site,
)
