import type { Words } from '#app/lib/words.ts'

export const PAGE_KINDS = ['page', 'legal'] as const
export type PageKind = (typeof PAGE_KINDS)[number]

export interface PageView {
  slug: string
  kind: PageKind
  title: Words
  body: Words
  updatedAt: string
}
