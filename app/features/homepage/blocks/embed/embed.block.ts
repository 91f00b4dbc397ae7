import { line, number, plain, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface EmbedData {
  /** The address to frame, where the site allows its domain. */
  source: { frame: string; host: string; origin: string } | null
}

/** A page of a domain that the site allows, in a frame that loads when it is asked for. */
export const embed = defineBlock(
  'embed',
  { title: line(), text: text(), address: plain('address'), height: number(200, 1200, 480) },
  { isEmpty: (_, { source }: EmbedData) => source === null },
)
