import { setResponseHeader } from '@tanstack/react-start/server'
import { FRAMES_HEADER } from '#app/lib/policy-headers.ts'
import type { RichBlock } from '#app/lib/rich-text.ts'
import { listVideoOrigins } from '#app/lib/video-source.ts'

/** Allows, in the response's content policy, frames from the hosts of these videos. No frame is loaded until somebody plays one. */
export function allowVideoFrames(blocks: readonly RichBlock[]): void {
  const origins = listVideoOrigins(blocks.flatMap((block) => (block.type === 'video' ? block.href : [])))
  if (origins.length > 0) setResponseHeader(FRAMES_HEADER, origins.join(' '))
}
