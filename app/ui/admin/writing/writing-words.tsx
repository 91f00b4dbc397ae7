import { createContext, type ReactNode, use } from 'react'

export const WRITING_WORDS = [
  'tools',
  'table-tools',
  'heading',
  'subheading',
  'strong',
  'emphasis',
  'bullets',
  'numbers',
  'link',
  'table',
  'picture',
  'video',
  'undo',
  'redo',
  'row-below',
  'column-after',
  'remove-row',
  'remove-column',
  'remove-table',
  'address',
  'link-hint',
  'link-text',
  'link-fault',
  'remove-link',
  'video-hint',
  'video-title',
  'video-fault',
  'video-title-fault',
  'alt',
  'alt-hint',
  'insert',
  'apply',
  'close',
  'keys-hint',
] as const

export type WritingWords = Readonly<Record<(typeof WRITING_WORDS)[number], string>>

const WordsContext = createContext<WritingWords | undefined>(undefined)

/** Gives every rich text field its words, in the administrator's language. */
export function WritingWordsProvider({ words, children }: { words: WritingWords; children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>
}

export function useWritingWords(): WritingWords {
  const words = use(WordsContext)
  if (!words) throw new Error('A rich text field must be inside the provider of its words')
  return words
}
