import type { ReactNode } from 'react'

interface QuoteProps {
  children: ReactNode
  /** Who said it, or on what. */
  source?: ReactNode
  /** The language it was said in, where that is not the page's. */
  language?: string
  size?: 'medium' | 'large'
}

/** Somebody's own words, in a bubble. Several go into an element with the class `quotes`. */
export function Quote({ children, source, language, size = 'medium' }: QuoteProps) {
  return (
    <figure className={size === 'large' ? 'quote quote-large' : 'quote'}>
      <blockquote lang={language}>{children}</blockquote>
      {source && <figcaption>{source}</figcaption>}
    </figure>
  )
}
