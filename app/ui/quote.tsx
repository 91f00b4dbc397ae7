import type { ReactNode } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'

interface QuoteProps {
  children: ReactNode
  /** Who said it, or about what. */
  source?: ReactNode
  /** The quote's language, if it is not the page's. */
  language?: string
  size?: 'medium' | 'large'
}

/** A person's own words, in a speech bubble. Put several into an element with the class `quotes`. */
export function Quote({ children, source, language, size = 'medium' }: QuoteProps) {
  return (
    <figure className={size === 'large' ? 'quote quote-large' : 'quote'}>
      <blockquote lang={language} dir={getDirection(language)}>
        {children}
      </blockquote>
      {source && <figcaption>{source}</figcaption>}
    </figure>
  )
}
