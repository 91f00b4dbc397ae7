import type { LocalisedText } from '#app/lib/localised-text.ts'

export const PAGE_KINDS = ['page', 'legal'] as const
export type PageKind = (typeof PAGE_KINDS)[number]

export interface PageView {
  slug: string
  kind: PageKind
  title: LocalisedText
  body: LocalisedText
  updatedAt: string
}
