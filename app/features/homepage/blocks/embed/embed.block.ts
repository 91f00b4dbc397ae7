import { line, number, plain, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface EmbedData {
  /** The URL to frame; null unless the site allows its domain. */
  source: { frame: string; host: string; origin: string } | null
}

/** A page of an allowed domain, in a frame that loads on request. */
export const embed = defineBlock(
  'embed',
  { title: line(), text: text(), address: plain('address'), height: number(200, 1200, 480) },
  { isEmpty: (_, { source }: EmbedData) => source === null },
)
