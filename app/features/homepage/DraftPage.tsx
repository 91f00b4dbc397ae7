import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageParts } from './block-parts.tsx'
import { HomePage } from './HomePage.tsx'
import { type HomeBlockView, isEmptyBlock } from './homepage.schema.ts'

interface DraftPageProps extends Omit<PageParts, 'overlap' | 'level'> {
  views: readonly HomeBlockView[]
  draw?: DrawDraft | undefined
}

/** Draws a page of blocks, each with `around` it. */
export type DrawDraft = (views: readonly HomeBlockView[], around: typeof wrapBlock) => ReactNode

/** A draft, rendered by the participants' own page. Blocks are marked so that they can be clicked; empty ones say so. */
export const DraftPage = ({ views, draw, ...parts }: DraftPageProps) =>
  draw ? draw(views, wrapBlock) : <HomePage blocks={views} around={wrapBlock} {...parts} />

const wrapBlock = (view: HomeBlockView, shown: ReactNode) => (
  <div data-block={view.id} className="contents">
    {isEmptyBlock(view) ? <NothingYet type={view.type} /> : shown}
  </div>
)

function NothingYet({ type }: { type: HomeBlockView['type'] }) {
  const { t } = useTranslation('editor')
  return (
    <section className="section">
      <div className="wrap">
        <div className="card card-wash">
          <div className="card-body">
            <p>
              <strong>{t(`blocks.${type}.name`)}</strong>
            </p>
            <p>{t('preview.nothing-yet')}</p>
          </div>
        </div>
      </div>
    </section>
  )
}
