import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type TextsChoice, textsQuery } from '../heard.queries.ts'
import type { CodedPassage, TextToRead } from '../heard.schema.ts'

/** How many texts before the end the next ones are fetched. */
const FETCH_AHEAD = 10

/** Names a text, or an answer of a response. */
export const keyOf = ({ id, question }: Pick<TextToRead, 'id' | 'question'>): string => `${id} ${question}`

/** The texts of a source one after the other, with what was coded meanwhile written into them. */
export function useTexts(choice: TextsChoice) {
  const queryClient = useQueryClient()
  const { data, isPending, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(textsQuery(choice))
  const [at, setAt] = useState(0)
  const texts = data?.pages.flat() ?? []
  const change = (key: string, next: (text: TextToRead) => TextToRead) =>
    queryClient.setQueryData(
      textsQuery(choice).queryKey,
      (known: InfiniteData<TextToRead[]> | undefined) =>
        known && { ...known, pages: known.pages.map((page) => page.map((text) => (keyOf(text) === key ? next(text) : text))) },
    )
  return {
    texts,
    at,
    current: texts[at],
    isPending,
    isLast: at >= texts.length - 1 && !hasNextPage,
    change,
    changePassages: (text: TextToRead, next: (passages: CodedPassage[]) => CodedPassage[]) =>
      change(keyOf(text), (known) => ({ ...known, isRead: known.isRead || !choice.sample, passages: next(known.passages) })),
    goTo: (next: number) => {
      if (next < 0 || next >= texts.length) return
      setAt(next)
      if (hasNextPage && !isFetchingNextPage && next >= texts.length - FETCH_AHEAD) void fetchNextPage()
    },
  }
}
