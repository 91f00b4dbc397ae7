import type { LocalisedText } from '#app/lib/localised-text.ts'
import { choice, line, number } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface ProjectMapData {
  places: { id: string; slug: string; title: LocalisedText; address: LocalisedText; lat: number | null; lng: number | null }[]
}

/** Where the projects are: a list of addresses, with a map beside it. */
export const projectMap = defineBlock(
  'project_map',
  { title: line(), filter: choice(['open', 'all']), limit: number(1, 40, 20) },
  { isEmpty: (_, { places }: ProjectMapData) => places.length === 0 },
)
