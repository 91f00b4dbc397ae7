import { line, picture, plain, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'
import { parseVideoSource } from './video-source.ts'

/** A film kept elsewhere. Nothing of that place is loaded before somebody presses play. */
export const video = defineBlock(
  'video',
  { title: line(), text: text(), address: plain('address'), picture: picture() },
  { isEmpty: ({ address }) => parseVideoSource(address) === undefined },
)
