import type { ComponentType } from 'react'
import type { BlockType, HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { newsletterQuery } from '../../campaigns.queries.ts'

export type Newsletter = Awaited<ReturnType<NonNullable<ReturnType<typeof newsletterQuery>['queryFn']>>>['data']

/** The page editor's components for editing blocks. */
export interface BlockEditing {
  Outline: ComponentType<{
    types: readonly BlockType[]
    hubId: string | null
    blocks: readonly HomeBlock[]
    selected: string | undefined
    language: ContentLanguage
    onSelect: (id: string | undefined) => void
    onChange: (next: (now: readonly HomeBlock[]) => readonly HomeBlock[]) => void
  }>
  BlockForm: ComponentType<{
    block: HomeBlock
    language: ContentLanguage
    onChange: (block: HomeBlock, place: string) => void
    errorOf: (name: string) => string | undefined
  }>
}
