import { Fragment, type ReactNode } from 'react'
import { parseRichText, type RichBlock, type RichInline } from '#app/lib/rich-text.ts'

interface RichTextProps {
  text: string
  /** Level of a `## ` heading on this page; `### ` is one below. */
  level?: 2 | 3 | 4
  /** Maps a path of this site to its address on the page, e.g. with the language prefix. */
  href?: (path: string) => string
  /** The text's language, if it is not the page's. */
  lang?: string
  className?: string
}

/** Renders Parley's light markup (`app/lib/rich-text.ts`) as headings, paragraphs, lists and links. */
export function RichText({ text, level = 2, href = (path) => path, lang, className }: RichTextProps): ReactNode {
  const blocks = parseRichText(text)
  if (!blocks.length) return null
  return (
    <div className={className ? `prose ${className}` : 'prose'} lang={lang}>
      {blocks.map((block, at) => (
        <Block key={at} block={block} level={level} href={href} />
      ))}
    </div>
  )
}

function Block({ block, level, href }: { block: RichBlock; level: 2 | 3 | 4; href: (path: string) => string }) {
  if (block.type === 'list') {
    return (
      <ul>
        {block.items.map((item, at) => (
          <li key={at}>{renderInline(item, href)}</li>
        ))}
      </ul>
    )
  }
  if (block.type === 'paragraph') return <p>{renderInline(block.content, href)}</p>
  const Heading = `h${level + block.level - 2}` as 'h2' | 'h3' | 'h4' | 'h5'
  return <Heading>{renderInline(block.content, href)}</Heading>
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
