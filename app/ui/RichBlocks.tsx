import { Fragment, type ReactNode } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import type { RichBlock, RichInline } from '#app/lib/rich-text.ts'
import { ScrollRegion } from './scroll-region.tsx'

export interface RichBlocksProps {
  blocks: readonly RichBlock[]
  /** Level of a `## ` heading on this page; `### ` is one below. */
  level?: 2 | 3
  /** Maps a path of this site to its address on the page, e.g. with the language prefix. */
  href?: (path: string) => string
  /** The text's language, if it is not the page's. */
  lang?: string
  className?: string
  /** Shows a video; by default it is a link to its host. */
  renderVideo?: (video: RichVideo) => ReactNode
}

export type RichVideo = Extract<RichBlock, { type: 'video' }>

/** Renders light markup that the server has parsed: a page that shows only such texts does not load the parser. */
export function RichBlocks({ blocks, level = 2, href = (path) => path, lang, className, renderVideo }: RichBlocksProps): ReactNode {
  if (!blocks.length) return null
  return (
    <div className={className ? `prose ${className}` : 'prose'} lang={lang} dir={getDirection(lang)}>
      {blocks.map((block, at) => (
        <Block key={at} block={block} level={level} href={href} renderVideo={renderVideo} />
      ))}
    </div>
  )
}

type BlockProps = Required<Pick<RichBlocksProps, 'level' | 'href'>> & { block: RichBlock; renderVideo: RichBlocksProps['renderVideo'] }

function Block({ block, level, href, renderVideo }: BlockProps) {
  const draw = (content: readonly RichInline[]) => renderInline(content, href)
  switch (block.type) {
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{draw(item)}</li>)
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
    case 'table': {
      const [head = [], ...rows] = block.rows
      return (
        <ScrollRegion className="prose-table">
          <table>
            <thead>
              <tr>
                {head.map((cell, at) => (
                  <th key={at} scope="col">
                    {draw(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{draw(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )
    }
    case 'picture': {
      const picture = <img src={block.src} alt={block.alt} loading="lazy" />
      // Its name is the picture's alternative text.
      return block.alt ? (
        <a className="prose-picture" href={block.src}>
          {picture}
        </a>
      ) : (
        picture
      )
    }
    case 'video':
      if (renderVideo) return renderVideo(block)
      return (
        <p className="prose-video">
          <a href={block.href} rel="noopener nofollow ugc">
            {block.title} ({block.host})
          </a>
        </p>
      )
    case 'paragraph':
      return <p>{draw(block.content)}</p>
    case 'heading': {
      const Heading = `h${level + block.level - 2}` as 'h2' | 'h3' | 'h4'
      return <Heading>{draw(block.content)}</Heading>
    }
  }
}

function renderInline(content: readonly RichInline[], href: (path: string) => string): ReactNode {
  return content.map((part, at) => {
    switch (part.type) {
      case 'text':
        return <Fragment key={at}>{part.text}</Fragment>
      case 'break':
        return <br key={at} />
      case 'strong':
        return <strong key={at}>{renderInline(part.content, href)}</strong>
      case 'emphasis':
        return <em key={at}>{renderInline(part.content, href)}</em>
      case 'link': {
        const own = part.href.startsWith('/')
        return (
          <a key={at} href={own ? href(part.href) : part.href} {...(own ? {} : { rel: 'noopener nofollow ugc' })}>
            {renderInline(part.content, href)}
          </a>
        )
      }
    }
  })
}
