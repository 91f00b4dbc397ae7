import type { ReactNode } from 'react'
import { parseRichText } from '#app/lib/rich-text.ts'
import { RichBlocks, type RichBlocksProps } from './RichBlocks.tsx'

interface RichTextProps extends Omit<RichBlocksProps, 'blocks'> {
  text: string
}

/** Renders Parley's light markup (`app/lib/rich-text.ts`) as elements of its own. */
export function RichText({ text, ...props }: RichTextProps): ReactNode {
  return <RichBlocks blocks={parseRichText(text)} {...props} />
}
