import type { ReactNode } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getButtonClass, type ButtonKind } from '#app/ui/button.tsx'
import { SectionHead } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ActionView } from './block-fields.ts'
import type { BlockType, HomeBlockView } from './homepage.schema.ts'

export interface PageParts {
  site: { name: string; tagline: LocalisedText }
  renderProject: (project: HomeBlockView<'featured_project'>['data']['project'] & object, size: 'grid' | 'lead') => ReactNode
  renderHub: (hub: HomeBlockView<'hub_grid'>['data']['hubs'][number]) => ReactNode
  /** True on a hero if a featured project follows, and on that featured project: it is pulled up over the hero. */
  overlap: boolean
  /** Heading level: the first hero holds the page's h1. */
  level: 1 | 2
}

export interface BlockProps<Type extends BlockType> {
  block: HomeBlockView<Type>
  page: PageParts
}

interface BlockSectionProps {
  id: string
  /** The block's title; if empty, `fallback`. */
  title: LocalisedText
  fallback?: string
  link?: ReactNode
  wash?: boolean
  children: ReactNode
}

/** A block as a section of the page, labelled by its title if it has one. */
export function BlockSection({ id, title, fallback, link, wash = false, children }: BlockSectionProps) {
  const heading = title.text ? <Text words={title} /> : fallback
  return (
    <section className={wash ? 'section section-wash' : 'section'} {...(heading ? { 'aria-labelledby': id } : {})}>
      <div className="wrap">
        {heading && <SectionHead id={id} title={heading} link={link} />}
        {children}
      </div>
    </section>
  )
}

export function BlockAction({ action, kind }: { action: ActionView | null; kind?: ButtonKind }) {
  if (!action?.label.text) return null
  return (
    <a
      href={action.href.startsWith('/') ? toLocalHref(action.href) : action.href}
      className={getButtonClass(kind ? { kind } : {})}
      lang={action.label.lang}
      dir={getDirection(action.label.lang)}
    >
      {action.label.text}
    </a>
  )
}
